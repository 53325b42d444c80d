"""The tables that fugu and DuckDB both read: a narrow one and a wide one, of random rows."""

import pathlib
import subprocess
import sys
import tempfile

from side_by_side import parser_of


def options_of(description, programs):
    parser = parser_of(description)
    parser.add_argument("programs", type=pathlib.Path, metavar="FOLDER", help=programs)
    parser.add_argument("--rows", type=int, default=100_000_000, metavar="N", help="of the narrow table (default 1e8)")
    parser.add_argument("--wide-rows", type=int, default=2_000_000, metavar="N", help="of the wide one (default 2e6)")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs after a warm-up (default 3)")
    parser.add_argument("--threads", type=int, default=2, metavar="N", help="of both (default 2)")
    parser.add_argument("--folder", metavar="DIR", help="for the tables and outputs: a memory file system leaves the disk out (default TMPDIR)")
    parser.add_argument("--seed", type=int, default=1, help="of the random tables (default 1)")
    return parser.parse_args()


def on_each(options, generator, narrow_target, wide_target, compare):
    """The rows that compare(title, table, options, at_least) makes; the tables are deleted after it."""
    rows = []
    for title, count, kind, at_least in (
        (f"{options.rows:.0e} rows, 2 columns", options.rows, [], narrow_target),
        (f"{options.wide_rows:.0e} rows, 40 columns, quotes", options.wide_rows, ["wide"], wide_target),
    ):
        with tempfile.TemporaryDirectory(prefix="fugu-bench-", dir=options.folder) as folder:
            table = pathlib.Path(folder) / "table.csv"
            with table.open("wb") as file:
                subprocess.run([generator, str(count), str(options.seed), *kind], check=True, stdout=file)
            rows.append(compare(title, table, options, at_least))
    return rows


def hold_same(title, answers, *keys):
    if any(answer[key] != answers[0][key] for answer in answers for key in keys):
        sys.exit(f"bench: the counts of '{title}' differ")
