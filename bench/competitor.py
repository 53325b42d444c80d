"""A program under measurement that stays up between its tasks."""

import json
import subprocess
import sys


class Competitor:
    """A process that has read the input and runs one task for each line it is sent."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, task):
        self.process.stdin.write(task + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"bench: {self.process.args[0]} stopped during '{task}'")
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
