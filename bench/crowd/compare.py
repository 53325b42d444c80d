"""The law of a count over many independent users: fugu's direct recurrence beside R's DivideFFT, in turns, one thread.

compare.py CROWD_BENCH [--json FILE] [--check] [--repeat N] [--users N] [--leave-users N] [--seed SEED]

Times are the thread's own, so that other work on the machine counts for neither. Accuracy is held against exact
arithmetic in the tests; here the two are compared where a transform still has digits, and it is said where it has none.
"""

import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from side_by_side import Competitor, finish, in_turns, median, parser_of  # noqa: E402

PEER = pathlib.Path(__file__).with_name("divide_fft.R")
TARGET = 6
SECONDS, LEAVE_SECONDS = 0.1, 10


def users(folder, count, seed):
    draw = random.Random(seed)
    path = folder / f"users-{count}.txt"
    path.write_text("".join(f"{draw.random():.6f}\n" for _ in range(count)))
    return path


def differences(ours, theirs):
    """The largest relative difference where masses are above 1e-10, and the least mass the peer gives."""
    first, mine = ours["first"], ours["masses"]
    pairs = [(mine[k], theirs["masses"][first + k]) for k in range(len(mine))]
    return (max(abs(a / b - 1) for a, b in pairs if a > 1e-10),
            sum(1 for a, b in pairs if 0 < a < 1e-20 and abs(b / a - 1) > 0.5))


def main():
    parser = parser_of("fugu's law of a count beside R's DivideFFT")
    parser.add_argument("program", help="the built crowd_bench")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="runs after a warm-up (default 5)")
    parser.add_argument("--users", type=int, default=100_000, metavar="N", help="of the sum (default 1e5)")
    parser.add_argument("--leave-users", type=int, default=10_000, metavar="N",
                        help="of all leave-one-outs (default 1e4)")
    parser.add_argument("--seed", type=int, default=1, help="of the random users (default 1)")
    options = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="fugu-bench-") as folder:
        folder = pathlib.Path(folder)
        many, fewer = users(folder, options.users, options.seed), users(folder, options.leave_users, options.seed)
        fugu, peer = Competitor(options.program), Competitor("Rscript", str(PEER))
        version = peer.run("version")
        laws, peer_laws = in_turns(options.repeat, lambda: fugu.run(f"sum {many}"), lambda: peer.run(str(many)))
        leave = [fugu.run(f"leave {fewer}") for _ in range(3)]
        fugu.close()
        peer.close()
    ours, theirs, left = median(laws, "cpu"), median(peer_laws, "cpu"), median(leave)
    agreement, lost = differences(laws[0], peer_laws[0])
    report = {"users": options.users, "fugu_seconds": ours, "divide_fft_seconds": theirs, "ratio": theirs / ours,
              "at_least": TARGET, "bound": laws[0]["bound"], "largest_difference": agreement, "lost_masses": lost,
              "leave_users": options.leave_users, "leave_seconds": left, "leave_mib": leave[-1]["peak_mib"],
              "package": version["version"], "r": version["r"],
              "met": theirs / ours >= TARGET and ours <= SECONDS and left <= LEAVE_SECONDS}
    print(f"A count over independent users: fugu beside DivideFFT of PoissonBinomial {version['version']} (R {version['r']}); "
          f"medians, in turns, one thread\n")
    print(f"  the law of {options.users:,} users     fugu {ours * 1e3:.1f} ms, DivideFFT {theirs * 1e3:.0f} ms: ratio "
          f"{theirs / ours:.1f}  (target >= {TARGET}, <= {SECONDS * 1e3:.0f} ms)")
    print(f"  proved relative error       {report['bound']:.1e}; from DivideFFT at most {agreement:.1e} where masses are "
          f"above 1e-10")
    print(f"  masses below 1e-20          {lost:,} that DivideFFT has wrong by half or more")
    print(f"  {options.leave_users:,} leave-one-outs      {left:.2f} s, {report['leave_mib']:.0f} MiB  (target <= "
          f"{LEAVE_SECONDS} s; all threads)")
    finish(options, report, [] if report["met"] else ["a count over independent users"])


if __name__ == "__main__":
    main()
