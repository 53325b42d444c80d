"""What the tests of databases share: the same rows as a CSV file, and its plan."""


def csv_field(text):
    return '"' + text.replace('"', '""') + '"'


def write_csv(fugu, name, rows):
    return fugu.write(name, "".join(",".join(map(csv_field, row)) + "\n" for row in rows))


def plan_of(fugu, *arguments):
    return fugu.ok("calibrate", *arguments, "-o", "-")
