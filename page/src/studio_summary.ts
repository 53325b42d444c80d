// The summary of a plan, as the command line prints it, in its parts. No DOM here.

// "  error      48 % stay\n             as they are" as names and texts: names stand alone at the beginning of their first line.
export function factsIn(summary: string): [string, string][] {
  const facts: [string, string][] = [];
  for (const line of summary.split("\n")) {
    const named = /^ {2}(\S+) {2,}(.*)$/.exec(line), last = facts[facts.length - 1];
    if (named) facts.push([named[1] ?? "", named[2] ?? ""]);
    else if (last && line.trim()) last[1] += ` ${line.trim()}`;
  }
  return facts;
}
