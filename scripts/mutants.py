"""Small faults that can be planted in a C++ source: what scripts/mutate draws from.

It reads tokens, not syntax, and leans on clang-format: a binary operator stands between two spaces, a template's bracket, a
reference and a pointer do not. What slips through does not compile, and another mutant is drawn.
"""

import dataclasses
import re

TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<text>(?:u8|[uUL])?R"(?P<fence>[^()\s]*)\(.*?\)(?P=fence)"|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')
      | (?P<number>\.?\d(?:[eEpP][+-]|[\w.]|'(?=\w))*)
      | (?P<name>[A-Za-z_]\w*)
      | (?P<sign><=>|<<=|>>=|\.\.\.|->\*?|::|\+\+|--|&&|\|\||[-+*/%&|^!<>=]=|<<|>>|.)""",
    re.X | re.S,
)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*", re.M | re.S)

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
LOGIC = {"&&": "||", "||": "&&"}
OPPOSITES = [
    ("up", "down"), ("lower", "upper"), ("low", "high"), ("lowest", "highest"), ("floor", "ceil"), ("RNDD", "RNDU"),
    ("min", "max"), ("minimum", "maximum"), ("smallest", "largest"), ("least", "most"), ("below", "above"),
    ("front", "back"),
]  # fmt: skip
OPPOSITE = {**dict(OPPOSITES), **{b: a for a, b in OPPOSITES}}

# A statement that begins with one of these declares or steers; dropping it is not a small fault.
KEPT = set(
    """using namespace static_assert template struct class enum union typedef friend public private protected case default
    if else for while do switch try catch extern static constexpr const auto inline virtual explicit operator""".split()
)


@dataclasses.dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int


@dataclasses.dataclass(frozen=True)
class Mutant:
    file: str
    line: int
    kind: str
    start: int
    end: int
    before: str
    after: str

    def apply(self, text):
        assert text[self.start : self.end] == self.before
        return text[: self.start] + self.after + text[self.end :]

    def lines(self, text):
        """The lines it touches, before and after."""
        begin = text.rfind("\n", 0, self.start) + 1
        end = text.find("\n", self.end)
        after = text[begin : self.start] + self.after + text[self.end : end]
        return " ".join(text[begin:end].split()), " ".join(after.split())


def tokens(text):
    """Names, numbers, signs and literals with their places; comments, spaces and directives are left out."""
    text = DIRECTIVE.sub(lambda match: " " * len(match.group()), text)
    found = []
    for match in TOKEN.finditer(text):
        kind = next(k for k in ("space", "comment", "text", "number", "name", "sign") if match.group(k) is not None)
        if kind not in ("space", "comment"):
            found.append(Token(kind, match.group(), match.start(), match.end()))
    return found


def names(text):
    return {token.text for token in tokens(text) if token.kind == "name"}


def opposites(name, vocabulary):
    """The names that come from swapping one word of this one, of those that exist."""
    words = name.split("_")
    for place, word in enumerate(words):
        if word in OPPOSITE:
            other = "_".join(words[:place] + [OPPOSITE[word]] + words[place + 1 :])
            if other in vocabulary:
                yield other


def other_numbers(literal):
    match = re.fullmatch(r"(\d+)([uUlL]*)", literal)
    if not match or (len(match.group(1)) > 1 and literal[0] == "0"):
        return []
    value, suffix = int(match.group(1)), match.group(2)
    return [f"{n}{suffix}" for n in {0: [1], 1: [0, 2]}.get(value, [value + 1])]


def changed_tokens(text, all_tokens, vocabulary):
    """(kind, token, what takes its place)"""
    spaced = lambda t: text[t.start - 1].isspace() and text[t.end : t.end + 1].isspace()
    for before, token, after in zip([None, *all_tokens], all_tokens, [*all_tokens[1:], None]):
        if before is None or after is None or before.text in ("operator", "template") or after.text == "literal":
            continue
        beside_text = before.kind == "text" or after.kind == "text"
        if token.kind == "sign" and spaced(token):
            if token.text in COMPARISONS:
                yield "comparison", token, COMPARISONS[token.text]
            if token.text in ARITHMETIC and not beside_text:
                yield "arithmetic", token, ARITHMETIC[token.text]
            if token.text in LOGIC:
                yield "logic", token, LOGIC[token.text]
        elif token.text == "!":
            yield "logic", token, ""
        elif token.text == "-" and not text[token.end].isspace() and before.text in ("(", ",", "return", "=", "?", ":", "{"):
            yield "arithmetic", token, ""
        elif token.kind == "number":
            for other in other_numbers(token.text):
                yield "constant", token, other
        elif token.text in ("true", "false"):
            yield "constant", token, "false" if token.text == "true" else "true"
        elif token.kind == "name":
            for other in opposites(token.text, vocabulary):
                yield "opposite", token, other


def heads(all_tokens):
    """The places of the brackets that close the head of an if, for or while."""
    open_brackets, found = [], set()
    for place, token in enumerate(all_tokens):
        if token.text == "(":
            open_brackets.append(place > 0 and all_tokens[place - 1].text in ("if", "for", "while", "constexpr"))
        elif token.text == ")" and open_brackets and open_brackets.pop():
            found.add(place)
    return found


def statements(all_tokens):
    """(first, last) places of the statements that could be left out: assignments, calls, returns, throws."""
    depth, first, head = 0, None, heads(all_tokens)
    for place, token in enumerate(all_tokens):
        fresh = place > 0 and (all_tokens[place - 1].text in (";", "{", "}", "else") or place - 1 in head)
        if first is None and fresh and token.text not in KEPT and (token.kind == "name" or token.text in ("*", "++", "--")):
            first, depth = place, 0
        if first is None:
            continue
        if token.text in "([{":
            depth += 1
        elif token.text in ")]}":
            depth -= 1
            if depth < 0:
                first = None
        elif token.text == ";" and depth == 0:
            yield first, place
            first = None


def mutants(file, text, vocabulary):
    """Every mutant of one source, in the order of its text."""
    all_tokens = tokens(text)
    line = lambda place: text.count("\n", 0, place) + 1
    found = [
        Mutant(file, line(token.start), kind, token.start, token.end, token.text, after)
        for kind, token, after in changed_tokens(text, all_tokens, vocabulary)
    ]
    for first, last in statements(all_tokens):
        start, end = all_tokens[first].start, all_tokens[last].start
        found.append(Mutant(file, line(start), "dropped", start, end, text[start:end], "\n" * text.count("\n", start, end)))
    return sorted(found, key=lambda mutant: (mutant.start, mutant.kind, mutant.after))
