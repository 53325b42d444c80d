"""Random questions as files, small enough that a plan takes milliseconds, and of shapes that are hard on a proof: gaps,
ties, tiny masses, equal laws, wide lattices, many priors. Each is (words of the command, what it is about)."""

import itertools
import json

EPSILONS = ["0.05", "0.1", "0.3", "0.5", "0.7", "1", "1.5", "2", "3", "5"]


def masses(rng, count):
    kind = rng.choice(["counts", "counts", "counts", "ties", "tiny", "fractions", "decimals", "steep"])
    if kind == "counts":
        return [rng.choice([1, 2, 3, 5, 8, rng.randint(1, 60), rng.randint(1, 4000)]) for _ in range(count)]
    if kind == "ties":
        return [rng.choice([1, 2]) for _ in range(count)]
    if kind == "tiny":
        return [rng.choice([1, 1, 3, f"1/{10 ** rng.randint(6, 40)}"]) for _ in range(count)]
    if kind == "fractions":
        return [f"{rng.randint(1, 12)}/{rng.randint(1, 12)}" for _ in range(count)]
    if kind == "decimals":
        return [rng.randint(1, 999) / 1000 for _ in range(count)]
    return [f"1/{2 ** (3 * k)}" for k in range(count)]


def places(rng, count, spread):
    """Places on the lattice: neighbours, with gaps, or in two clusters."""
    kind = rng.random()
    if kind < 0.4:
        return list(range(count))
    if kind < 0.8:
        return sorted(rng.sample(range(count * spread + 1), count))
    far = count * spread
    return sorted({k if rng.random() < 0.5 else far + k for k in range(count)})


def given(rng, secrets, values):
    laws, last = {}, None
    full = rng.random() < 0.6
    for secret in secrets:
        if last and rng.random() < 0.1:
            laws[secret] = last  # equal laws
            continue
        taken = values if full else sorted(rng.sample(values, rng.randint(1, len(values))))
        laws[secret] = last = {"values": taken, "mass": masses(rng, len(taken))}
    return laws


def pairs_of(rng, secrets):
    every = list(itertools.combinations(secrets, 2))
    return rng.choice(["all", "all", "neighbours", [list(pair) for pair in rng.sample(every, rng.randint(1, len(every)))]])


def scenario(rng, most=8, spread=4, secrets=(2, 2, 2, 3, 3, 4, 5), priors=(1, 1, 1, 2, 3, 6)):
    secrets = [f"s{k}" for k in range(rng.choice(secrets))]
    step = rng.choice([1, 1, 1, 2, 0.5, 0.01])
    origin = rng.choice([0, 0, 0, 0.25, -3])
    values = [round(origin + step * place, 6) for place in places(rng, rng.randint(1, most), spread)]
    laws = [{"name": f"belief {k}", "given": given(rng, secrets, values)} for k in range(rng.choice(priors))]
    return {"priors": laws, "pairs": pairs_of(rng, secrets)}, secrets


def asked(folder, file, *words):
    (folder / "scenario.json").write_text(json.dumps(file))
    return ["calibrate", "--scenario", "scenario.json", *words]


def budget(rng, secrets, file):
    """One epsilon, or less for a secret or a pair."""
    epsilon = rng.choice(EPSILONS)
    if rng.random() > 0.15:
        return epsilon, []
    pairs = file["pairs"] if isinstance(file["pairs"], list) else list(zip(secrets, secrets[1:]))
    pair = rng.choice(pairs)
    own = [f"{rng.choice(pair)}={float(epsilon) * 0.7:.4f}", f"{pair[0]}:{pair[1]}={float(epsilon) * 0.4:.4f}"]
    return ",".join(rng.sample(own, rng.randint(1, 2)) + [f"*={epsilon}"]), ["budgets"]


def options(rng, secrets, file, pure=True):
    """Words and names of what may go with a method for one column; `pure` without a delta."""
    words, about = [], []
    epsilon, names = budget(rng, secrets, file) if pure else (rng.choice(EPSILONS), [])
    about += names + (["priors"] if len(file["priors"]) > 1 else []) + ([] if file["pairs"] == "all" else ["pairs"])
    kind = rng.random()
    if not names and kind < 0.15:
        words, about = ["--closeness", rng.choice(["0.01", "0.1", "0.3"])], about + ["closeness"]
    elif pure and not names and kind < 0.4:
        promise = rng.choice(["belief", "belief-both"])
        file["pairs"], words, about = "all", ["--promise", promise], [one for one in about if one != "pairs"] + [promise]
        if rng.random() < 0.4:
            parts = [rng.randint(1, 9) for _ in secrets]
            words += ["--shares", ",".join(f"{s}={part}/{sum(parts)}" for s, part in zip(secrets, parts))]
            about.append("shares")
        epsilon = rng.choice(EPSILONS[:5])
    return ["--epsilon", epsilon, *words], about


def laplace(rng, folder):
    file, secrets = scenario(rng)
    words, about = options(rng, secrets, file)
    method = rng.choice(["exact"] * 5 + ["sensitivity", "kantorovich", "relaxed", "harmonic", "sharp", "dp-laplace"])
    if "budgets" in about or "--promise" in words:
        method = "exact"  # the others are for one epsilon and the odds
    return asked(folder, file, "--method", method, *words), ["laplace", method, *about]


def laplace_delta(rng, folder):
    file, secrets = scenario(rng)
    words, about = options(rng, secrets, file, pure=False)
    method = rng.choice(["exact"] * 3 + ["kantorovich", "relaxed", "harmonic"])
    return asked(folder, file, "--method", method, "--delta", rng.choice(["0.1", "0.01", "1e-5", "1e-9"]), *words), ["laplace", method, "delta", *about]


def gaussian(rng, folder):
    file, secrets = scenario(rng, most=4, spread=1, priors=(1, 1, 2))
    words, about = options(rng, secrets, file, pure=False)
    words[1] = max(words[1], "0.3", key=float)  # less needs long tables
    method = rng.choice(["exact", "exact", "kantorovich", "relaxed", "theorem3a", "theorem3b", "sensitivity"])
    return asked(folder, file, "--noise", "gaussian", "--delta", rng.choice(["0.1", "0.01", "1e-4"]), "--method", method, *words), ["gaussian", method, "delta", *about]


def heavy(rng, folder):
    file, secrets = scenario(rng, most=4, spread=1, priors=(1, 1, 2))
    noise = rng.choice(["power:0.5", "power:0.8", "log:4", "log:12"])
    method = rng.choice(["exact", "kantorovich", "relaxed", "harmonic", "sensitivity"])
    return asked(folder, file, "--noise", noise, "--method", method, "--epsilon", rng.choice(EPSILONS[3:])), [noise.split(":")[0], method]


def optimal(rng, folder):
    file, secrets = scenario(rng, most=4, spread=1, secrets=(2, 2, 3), priors=(1, 1, 2))
    more = rng.choice([[], ["--asymmetric"], ["--loss", "absolute"], ["--delta", "0.01"]])
    words, about = options(rng, secrets, file, pure="--delta" not in more)
    words = ["--epsilon", rng.choice(EPSILONS[4:])] if "--promise" not in words and "budgets" not in about else words
    about = [one for one in about if one != "closeness"]
    return asked(folder, file, "--method", "optimal", "--time-limit", "1", *words, *more), ["optimal", *more[:1], *about]


def channel(rng, folder):
    file, secrets = scenario(rng, most=6, spread=2, priors=(1, 1, 2))
    more = rng.choice([[], [], ["--loss", "zero-one"], ["--loss", "absolute"], ["--unbiased"], ["--delta", "0.02"]])
    words, about = options(rng, secrets, file, pure="--delta" not in more)
    values = sorted({x for law in file["priors"][0]["given"].values() for x in law["values"]})
    if not more and len(values) > 2 and rng.random() < 0.4:
        more = ["--outputs", ",".join(map(str, rng.sample(values, 2)))]
    return asked(folder, file, "--method", "channel", "--time-limit", "1", *words, *more), ["channel", *more[:1], *about]


def response(rng, folder):
    file, secrets = scenario(rng)
    words, about = options(rng, secrets, file)
    return asked(folder, file, "--method", "randomized-response", *words), ["channel", "randomized-response", *about]


def swap(rng, folder):
    file, secrets = scenario(rng, most=7)
    if rng.random() < 0.8:  # as many people as a table has
        for prior in file["priors"]:
            for law in prior["given"].values():
                law["values"] = file["priors"][0]["given"][secrets[0]]["values"]
                law["mass"] = [rng.choice([0, 1, 1, 4, rng.randint(1, 300)]) + (k == 0) for k in range(len(law["values"]))]
        first = file["priors"][0]["given"][secrets[0]]
        first["mass"] = [mass + 1 for mass in first["mass"]]
    words, about = options(rng, secrets, file)
    more = rng.choice([[], [], ["--loss", "zero-one"], ["--least-kept", "0.1"]])
    return asked(folder, file, "--method", "swap", *words, *more), ["swap", *more[:1], *about]


def columns(rng, folder):
    """Several columns: noise on each, or whole rows that trade places."""
    many = rng.choice([2, 2, 3])
    secrets = [f"s{k}" for k in range(rng.choice([2, 2, 3, 4]))]
    values = sorted({tuple(rng.choice([0, 1, 2, 4]) for _ in range(many)) for _ in range(rng.randint(2, 8))})
    file = {"priors": [{"given": given(rng, secrets, [list(x) for x in values])} for _ in range(rng.choice([1, 1, 2, 4]))],
            "pairs": pairs_of(rng, secrets), "lattice": [{"step": 1}] * many}
    method = rng.choice(["exact", "exact", "kantorovich", "sensitivity", "swap", "swap"])
    words, about = options(rng, secrets, file)
    if "closeness" in about:
        words, about = words[:2], [one for one in about if one != "closeness"]
    more = rng.choice([[], ["--noise-shares", ",".join(str(rng.choice([1, 2, 5])) for _ in range(many))]]) if method != "swap" else \
        rng.choice([[], ["--cost", "columns"]])
    words, about = words + more, about + more[:1]
    return asked(folder, file, "--method", method, *words), ["swap" if method == "swap" else "laplace", "several columns", method, *about]


def normal(rng, folder):
    law = lambda: {"gaussian": {"mean": rng.randint(0, 6), "sd": rng.choice([0.5, 1, 2, 3])}}
    mixed = lambda: {"mixture": [{"weight": rng.randint(1, 4), **law()} for _ in range(2)]}
    file = {"priors": [{"given": {s: rng.choice([law, law, mixed])() for s in "ab"}} for _ in range(rng.choice([1, 2]))],
            "lattice": {"step": rng.choice([1, 0.5])}, "source": {"clip": [-2, 8]}}
    words = ["--method", rng.choice(["exact", "exact", "kantorovich", "harmonic", "sharp", "sensitivity"]), "--epsilon", rng.choice(EPSILONS[1:])]
    return asked(folder, file, *words), ["laplace", "normal laws"]


def wide(rng, folder):
    """Values that lie as far apart as millions of steps."""
    far = rng.choice([3_000, 100_000, 7_000_000])
    file, secrets = scenario(rng, most=5, secrets=(2, 3), priors=(1, 2))
    for prior in file["priors"]:
        for law in prior["given"].values():
            law["values"] = [k + (far if k % 2 else 0) for k in range(len(law["values"]))]
    return asked(folder, file, "--method", rng.choice(["exact", "kantorovich", "harmonic", "sharp"]), "--epsilon", rng.choice(EPSILONS)), ["laplace", "wide lattice"]


def confidence(rng, folder):
    secrets = ["s0", "s1", "s2"][: rng.choice([2, 2, 3])]
    values = list(range(rng.randint(2, 6)))
    laws = lambda: {s: {"values": values, "mass": [rng.choice([0, 1, 3, 8, rng.randint(5, 60)]) + (k == 0) for k in values]} for s in secrets}
    file = {"priors": [{"given": laws()} for _ in range(rng.choice([1, 1, 2]))], "pairs": pairs_of(rng, secrets)}
    bounds, about = rng.choice(["boxes", "boxes", "band", "both"]), []
    words = ["--confidence", rng.choice(["0.9", "0.95", "0.99"]), "--bounds", bounds, "--epsilon", rng.choice(EPSILONS[2:8])]
    if bounds != "boxes":
        file["source"], file["lattice"] = {"clip": [0, values[-1]], "step": 1}, {"step": 1}
    kind = rng.random()
    if kind < 0.15:
        words, about = words + ["--population", "2000"], ["population"]
    elif kind < 0.3 and bounds == "boxes":
        words, about = words + ["--population", ",".join(f"{s}={rng.randint(350, 500)}" for s in secrets)], ["population"]
    elif kind < 0.45:
        words, about = words + ["--closeness", "0.05"], ["closeness"]
    elif kind < 0.6:
        words, about, file["pairs"] = words + ["--promise", "belief-both"], ["belief-both"], "all"
    elif kind < 0.7:
        words, about = words + ["--delta", "0.05"], ["delta"]
    method = rng.choice(["exact", "exact", "exact", "sensitivity", "channel", "swap"])
    limit = ["--time-limit", "1"] if method == "channel" else []
    return asked(folder, file, "--method", method, *words, *limit), [method if method in ("channel", "swap") else "laplace", f"confidence by {bounds}", *about]


def table(rng, folder):
    """Rows of people: known and given columns, further beliefs, several columns, weights and numbers of people."""
    names = ["secret", "group", "job", "age"]
    people, letters = rng.randint(40, 150), rng.choice(["ab", "ab", "abc"])
    rows = []
    for _ in range(people):
        secret = rng.choice(letters)
        rows.append([secret, rng.choice("uv"), rng.choice("pqr" if secret == "a" else "pppq"), str(rng.randint(0, 2) + (secret == "b"))])
    words, about = ["--secret", "secret", "--epsilon", rng.choice(EPSILONS[2:])], ["table"]
    kind = rng.choice(["known", "known", "known", "given", "given", "plain", "person", "rows of a person", "count", "weight"])
    about.append(kind)
    if kind in ("known", "given"):
        words += [f"--{kind}", "group", "--min-group", str(rng.choice([1, 2, 5]))]
    public = rng.choice(["job", "age", "job,age"])
    method = rng.choice(["swap", "swap", "exact"])
    if kind in ("person", "rows of a person"):
        names.append("person")
        for k, row in enumerate(rows):
            row.append(f"n{k // 2 if kind == 'rows of a person' else k * 2 // 3}")
        owner = {}
        for row in rows:
            row[0] = owner.setdefault(row[4], row[0])
        words += ["--person", "person"]
        if kind == "rows of a person":
            words, public, method = words + ["--rows-per-person", "2", "--min-group", "2"], rng.choice(["job", "age"]), "exact"
    elif kind in ("count", "weight"):
        names.append("many")
        for row in rows:
            row.append(str(rng.randint(1, 5) if kind == "count" else rng.randint(1, 30) / 10))
        words += [f"--{kind}", "many"]
        method = "exact" if kind == "weight" else method
    if "," in public:
        about.append("several columns")
    if kind in ("plain", "known", "given") and rng.random() < 0.2:
        words, about = words + ["--census"], about + ["census"]
    if method == "swap" and rng.random() < 0.4:
        also = rng.choice(["smoothed:0.5", "independent"]) if "," in public else "smoothed:1"
        words, about = words + ["--also", also], about + ["also"]
    (folder / "table.csv").write_text(",".join(names) + "\n" + "".join(",".join(row) + "\n" for row in rows))
    words += [] if "person" in names else ["--rows-independent"]
    return ["calibrate", "table.csv", "--public", public, "--method", method, *words], ["swap" if method == "swap" else "laplace", *about]


def counted(rng, folder):
    """A table with a confidence, which groups of people may have as well."""
    people = [(rng.choice("ab"), rng.choice("uv"), str(rng.randint(0, 3))) for _ in range(rng.randint(40, 120))]
    (folder / "table.csv").write_text("secret,group,age\n" + "".join(",".join(row) + "\n" for row in people))
    words, about = ["--secret", "secret", "--public", "age", "--clip", "0:3", "--step", "1", "--confidence", "0.9", "--epsilon", rng.choice(EPSILONS[3:8])], ["confidence"]
    if rng.random() < 0.6:
        words, about = words + ["--given", "group", "--min-group", "3"], about + ["given"]
    if rng.random() < 0.4:
        words, about = words + ["--bounds", rng.choice(["band", "both"])], about + ["band"]
    return ["calibrate", "table.csv", "--rows-independent", "--method", "exact", *words], ["laplace", "table", *about]


def rumour(rng, folder):
    """A belief from a file beside the scenario's own."""
    file, secrets = scenario(rng, priors=(1,))
    values = sorted({x for law in file["priors"][0]["given"].values() for x in law["values"]})
    (folder / "prior.json").write_text(json.dumps({"name": "rumour", "given": given(rng, secrets, values)}))
    words, about = options(rng, secrets, file)
    return asked(folder, file, "--prior", "prior.json", "--method", "exact", *words), ["laplace", "prior file", *about]


def users(rng, folder):
    letters = rng.choice([2, 2, 3])
    lines = []
    for _ in range(rng.randint(1, 4)):
        parts = [rng.randint(0 if k else 1, 9) for k in range(letters)]
        lines += [",".join(f"{part}/{sum(parts)}" for part in parts)] * rng.randint(1, 3)
    (folder / "users.csv").write_text("\n".join([",".join("abc"[:letters]), *lines]) + "\n")
    words = ["model", "count", "--probabilities", "users.csv", "--pairs", rng.choice(["both", "values", "absent"]), "--epsilon", rng.choice(EPSILONS[2:])]
    words += ["--values", rng.choice(["0,1,2", "0,1,5", "2,0,3"])[: 2 * letters - 1]]
    if rng.random() < 0.6:
        words += ["--delta", rng.choice(["0.05", "0.001", "1e-6"]), "--noise", rng.choice(["laplace", "gaussian"])]
        return words, [words[-1], "model count", "delta"]
    return words, ["laplace", "model count"]


def chain(rng, folder):
    states = rng.choice([2, 2, 3])
    def row(zero):
        parts = [rng.randint(0 if zero else 1, 6) for _ in range(states)]
        return parts if any(parts) else [1] * states
    chains = []
    for _ in range(rng.choice([1, 1, 2])):
        zero = rng.random() < 0.2
        chains.append({"transition": [row(zero) for _ in range(states)], "start": row(zero) if zero or rng.random() < 0.5 else "stationary"})
    (folder / "chain.json").write_text(json.dumps({"states": ["x", "y", "z"][:states], "chains": chains}))
    method = rng.choice(["group", "quilt", "quilt-approx", "transfer", "transfer", "exact"])
    query = ["--state", "y"] if method == "exact" or rng.random() < 0.6 else ["--histogram"]
    query += ["--frequency"] if rng.random() < 0.3 else []
    length = rng.randint(1, 5 if states == 2 else 4)
    return ["model", "chain", "--matrix", "chain.json", "--length", str(length), *query, "--method", method, "--epsilon", rng.choice(EPSILONS[2:])], \
        ["laplace", "model chain", f"chain by {method}"]


def rate(rng, folder):
    secrets = ["a", "b", "c"][: rng.choice([2, 2, 3])]
    values = sorted(rng.sample(range(5), rng.randint(2, 3)))
    file = {"priors": [{"given": {s: {"values": values, "mass": [rng.randint(0 if k else 1, 6) for k in range(len(values))]} for s in secrets}}],
            "source": {"secret": ["s"], "public": ["x"]}}
    (folder / "scenario.json").write_text(json.dumps(file))
    method = rng.choice([[], ["--method", "group"], ["--method", "rows"], ["--method", "exact"]])
    query = rng.choice([["--sum"], ["--mean"]])
    rows = rng.randint(1, 4 if len(secrets) == 2 else 3)
    words = ["model", "rate", "--scenario", "scenario.json", "--rows", str(rows), *query, "--within", rng.choice(["all", "0.5"]), *method, "--epsilon", rng.choice(EPSILONS[2:])]
    words += ["--delta", "0.01"] if rng.random() < 0.2 else []
    return words, ["laplace", "model rate"]


def rate_histogram(rng, folder):
    """Two secrets, or three with a category that only the last one has."""
    secrets = rng.choice(["ab", "ab", "abc"])
    rows = ["s,x"] + [f"{rng.choice(secrets)},{rng.choice('pqr')}" for _ in range(rng.randint(2, 4))] + ["a,p", "b,p", "b,q"]
    rows += ["c,p", "c,0"] if secrets == "abc" else []
    (folder / "table.csv").write_text("\n".join(rows) + "\n")
    query = rng.choice([["--histogram"], ["--count", "p"]])
    return ["model", "rate", "table.csv", "--rows-independent", "--secret", "s", "--public", "x", "--kind", "x=category", *query,
            "--within", rng.choice(["0.2", "0.4"]), "--epsilon", rng.choice(EPSILONS[2:])], ["laplace", "model rate"]


SHAPES = [laplace] * 8 + [laplace_delta] * 3 + [gaussian] * 2 + [heavy] * 2 + [optimal] * 2 + [channel] * 4 + [response] + [swap] * 5 + [columns] * 4 + \
    [normal, wide] + [confidence] * 3 + [table] * 5 + [counted, rumour, users, chain, rate, rate_histogram]


def together(rng, folder):
    """Two or three plans of one scenario, for `fugu compose`: of one column, of some pairs alone, with budgets of their own or
    against close beliefs; or noise on several columns."""
    if rng.random() < 0.2:
        return columns_together(rng, folder)
    file, secrets = scenario(rng, most=4, spread=2, secrets=(2, 3), priors=(1, 1, 2))
    file["pairs"] = rng.choice(["all", "all", file["pairs"]])
    near = ["--closeness", rng.choice(["0.01", "0.04"])] if rng.random() < 0.2 else []
    chosen, about = [], []
    for _ in range(rng.choice([2, 2, 3])):
        method = rng.choice(["exact", "exact", "sharp", "kantorovich", "channel", "swap", "randomized-response"])
        epsilon, names = (rng.choice(EPSILONS[1:7]), []) if near else budget(rng, secrets, file)
        if names:
            method, about = "exact", [*about, "budgets added up"]
        chosen.append(["--method", method, "--epsilon", epsilon, *near])
    if rng.random() < 0.2 and len(chosen) == 2:
        chosen = [["--method", "exact", "--epsilon", rng.choice(EPSILONS[1:7]), "--delta", "0.01"] for _ in range(2)]
        near = []
    about += ["joint", "joint with delta" if "--delta" in chosen[0] else "joint loss"]
    about += ["closeness added up"] * bool(near) + ["pairs added up"] * (file["pairs"] != "all")
    return [asked(folder, file, *words) for words in chosen], about


def columns_together(rng, folder):
    values = sorted({tuple(rng.choice([0, 1, 3]) for _ in range(2)) for _ in range(rng.randint(2, 5))})
    file = {"priors": [{"given": given(rng, ["s0", "s1"], [list(x) for x in values])}], "lattice": [{"step": 1}] * 2}
    words = [["--method", rng.choice(["exact", "kantorovich", "sensitivity"]), "--epsilon", rng.choice(EPSILONS[2:7])] for _ in range(2)]
    return [asked(folder, file, *one) for one in words], ["joint", "several columns added up"]
