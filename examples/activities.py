#!/usr/bin/env python3
"""One state per minute from the activities of daily living (UCI, OrdonezA_ADLs.txt).

    python3 examples/activities.py OrdonezA_ADLs.txt states.csv
    fugu model chain --sequence states.csv --state Sleeping --epsilon 1

Each line of the file is the start, the end and the name of an activity, separated by tabs. The rules:

- The times are every minute from the first start to the last end, counted from the first start.
- A minute has the activity that covers its first second: start <= second <= end.
- Where several do, the one that started last has it; of two that started together, the later line.
- Where none does, the state is None.
- Lines that are blank, the two lines of the heading, and activities that end before they start are left out;
  how many is said.
"""

import datetime
import sys

MINUTE = datetime.timedelta(minutes=1)


def read(path):
    activities, dropped = [], 0
    with open(path, encoding="utf-8") as file:
        for line in list(file)[2:]:
            fields = [field.strip() for field in line.split("\t") if field.strip()]
            if not fields:
                continue
            start, end = (datetime.datetime.fromisoformat(text) for text in fields[:2])
            if end < start:
                dropped += 1
            else:
                activities.append((start, end, fields[2]))
    return activities, dropped


def states(activities):
    minute, last = min(start for start, _, _ in activities), max(end for _, end, _ in activities)
    in_order = sorted(activities, key=lambda activity: activity[0])  # stable: lines stay in order
    begun, open_ones = 0, []
    while minute <= last:
        while begun < len(in_order) and in_order[begun][0] <= minute:
            open_ones.append(in_order[begun])
            begun += 1
        open_ones = [activity for activity in open_ones if minute <= activity[1]]
        yield open_ones[-1][2] if open_ones else "None"
        minute += MINUTE


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    activities, dropped = read(sys.argv[1])
    written = 0
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write("state\n")
        for state in states(activities):
            out.write(state + "\n")
            written += 1
    print(f"{written} minutes of {len(activities)} activities; {dropped} lines left out", file=sys.stderr)


main()
