"""What a text report says twice. faults(report) yields (kind, words):

  sentence  a sentence is in two places
  amount    a sentence after the headline gives amounts of memory, all of them are in sentences before it, and hardly
            any other word of it is new
  line      a line of the log is quoted twice, or its number is in "The log states" and in a remedy
  code      a sentence says no more than the command after it
  restated  all words of a clause of Why or of a remedy are in the headline already
  cut       a quoted line ends within a sentence: a number of it may be lost
  quote     two quoted lines have the same message, or one of them holds the other's
"""
import itertools
import re

AMOUNT = re.compile(r"(\d[\d,]*(?:\.\d+)?) ?([KMGT]i?B|bytes)\b")
NEW_MOST = 4  # words of a sentence that repeats amounts
STATED = ("The log states", "The text says")
TITLE = re.compile(r"(Why|What fits|Do this|The log states|The text says|Where|In the log|Also in the log|Next|Lost|To decide it)\b")


def sections(report):
    """(title, lines); the headline's title is ''. Tables and pictures have other titles or none."""
    found = [("", [])]
    for line in report.splitlines():
        title = TITLE.match(line)
        if title:
            found.append((title.group(1), [line[title.end():].lstrip(":")]))
        elif line and not line[0].isspace() and found[-1][0] != "" and found[-1][1] and not found[-1][1][-1].strip():
            found.append(("table", [line]))
        elif found[-1][0] == "" and line.startswith("  "):
            found.append(("picture", [line]))
        else:
            found[-1][1].append(line)
    return found


def is_code(line):
    return bool(re.match(r" {6,}\S", line))


def joined(lines):
    """Sentences of a section's text lines, without code and quoted log lines."""
    text = []
    for line in lines:
        if not line.strip() or is_code(line) or re.match(r"  [│|] ", line):
            text.append("\n")
        elif re.match(r"  \d+\. \S", line):
            text.append("\n" + line.strip() + "\n")
        else:
            text.append(line.strip() + " ")
    found = []
    for paragraph in "".join(text).split("\n"):
        found += [s.strip() for s in re.split(r"(?<=[.;:!?])\s+(?=[A-Z0-9`\"/-])", paragraph) if s.strip()]
    return found


def plain(sentence):
    return re.sub(r"\W+", " ", re.sub(r"^\d+\. ", "", sentence)).strip().lower()


def amounts_of(sentence):
    """(value, unit) as printed, without zeros at the end."""
    for number, unit in AMOUNT.findall(sentence):
        number = number.replace(",", "")
        yield f"{float(number):g} {unit}"


EMPTY = set("a an and are as at be been because by had has have held hold in is it its of on own ran run runs that process the "
            "their this to used was were which with".split())
SAME = {"exceed": "reach", "exhaust": "out", "full": "out", "request": "ask"}


def stem(word):
    for ending in ("ed", "es", "s"):
        if len(word) > 3 + len(ending) and word.endswith(ending):
            word = word[:-len(ending)]
    return SAME.get(word, word)


def content(text):
    """Words and numbers that state something."""
    words = re.findall(r"\d[\d,]*(?:\.\d+)?|\w+", text.lower())
    return {f"{float(w.replace(',', '')):g}" if w[0].isdigit() and re.fullmatch(r"[\d,.]+", w) else stem(w)
            for w in words if w not in EMPTY}


def restated(found):
    """Clauses of Why that the headline states."""
    head = content(" ".join(itertools.takewhile(str.strip, found[0][1])))
    for title, lines in found:
        for sentence in joined(lines) if title == "Why" else ():
            for clause in re.split(r"; (?!it |they |its |their |this )", sentence):
                words = content(clause)
                if words and words <= head:
                    yield clause


def message(line):
    """What follows the time and the numbers that begin a line of the log."""
    return re.sub(r"^(?:\S*\d\S*\s+|\W\s+|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+)*", "", line)


def quotes(found):
    """The quoted lines of the log, each joined to one."""
    for lines in (lines for title, lines in found if title == "Where"):
        quote = ""
        for line in [*lines, ""]:
            part = re.match(r"  [│|] (.*)", line)
            if part:
                quote += part.group(1).strip() + " "
            elif quote:
                yield quote.strip()
                quote = ""


def quoted_twice(found):
    shown = list(quotes(found))
    for i, quote in enumerate(shown):
        said = message(quote)
        if len(said) > 16 and any(said in other for k, other in enumerate(shown) if k != i):
            yield quote


def statements_of_lines(found):
    """(title, line of the log, what is said of it)"""
    for title, lines in found:
        text = " ".join(line.strip() for line in lines)
        if title == "Where":
            for place, quote in zip(lines, lines[1:]):
                number = re.match(r"  \S.*:(\d+)$", place)
                if number and re.match(r"  [│|] ", quote):
                    yield title, int(number.group(1)), quote
        if title in STATED:
            yield from ((title, int(number), said) for said, number in re.findall(r"(.+?) \(line (\d+)\)", text))
        mark = {"Where": r"line (\d+): ", "Do this": r"Line (\d+): "}.get(title)
        if mark:
            parts = re.split(mark, text)
            for number, said in zip(parts[1::2], parts[2::2]):
                yield title, int(number), re.split(r"; |\. ", said)[0]


def is_repeated_line(title, said, before_title, before):
    """A line in two parts of the report; a number of it in one of them, where the other one gives that number."""
    if title == before_title:
        return title == "Where"
    if title not in STATED:
        return before_title != "Do this" or title == "Do this"
    return before_title == "Do this" and set(re.findall(r"\d+", said)) <= set(re.findall(r"\d+", before))


def faults(report):
    found = sections(report)
    sentences, given, words_before = set(), set(), set()
    for title, lines in found:
        if title not in ("", "Why", "Do this", "What fits", "Next", "Lost", "To decide it"):
            continue
        for sentence in joined(lines):
            words = plain(sentence)
            if len(words.split()) > 3 and not re.match(r"(Cost|Gives|Source):|.*:$", sentence):
                if words in sentences:
                    yield "sentence", sentence
                sentences.add(words)
            if title in ("", "Why", "Do this") and not sentence.startswith("Gives:"):
                amounts = set(amounts_of(sentence))
                if title and amounts and amounts <= given and len(content(sentence) - words_before) <= NEW_MOST:
                    yield "amount", sentence
                given |= amounts
                words_before |= content(sentence)
    before = {}
    for title, line, said in statements_of_lines(found):
        if line in before and is_repeated_line(title, said, *before[line]):
            yield "line", f"line {line} in {before[line][0]} and {title}: {said}"
        before.setdefault(line, (title, said))
    for clause in restated(found):
        yield "restated", clause
    for quote in quoted_twice(found):
        yield "quote", quote
    for quote in quotes(found):
        if re.search(r"(?:[^. ]|[^.] )…$", quote):
            yield "cut", quote
    lines = [line.strip() for line in report.splitlines()]
    for sentence, code in zip(lines, lines[1:]):
        if code and sentence in (f"Turn on {code}.", f"Use {code}."):
            yield "code", code
