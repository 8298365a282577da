"""Coq files as text: without comments, as sentences, and what each sentence begins with."""
import re

SENTENCE = re.compile(r'(?:"[^"]*"|[^".]|\.(?=\S))+\.(?=\s|$)', re.S)
HEAD = re.compile(r"(?:#\[[^\]]*\]\s*)?(?:Local\s+|Global\s+)?([A-Z]\w*)\s*")


def without_comments(text: str) -> str:
    """Lines stay where they are. A string hides the marks of a comment, and one in a comment does too, as in Coq."""
    depth, kept, at = 0, [], 0
    while at < len(text):
        length = 2 if text.startswith(("(*", "*)"), at) else 1
        if text[at] == '"':
            length = max(text.find('"', at + 1) + 1 - at, 1)
        depth += text.startswith("(*", at)
        part = text[at:at + length]
        kept.append(part if depth == 0 else re.sub(r"[^\n]", " ", part))
        depth -= text.startswith("*)", at) and depth > 0
        at += length
    return "".join(kept)


def sentences(text: str) -> list[str]:
    return [found.group(0).strip() for found in SENTENCE.finditer(without_comments(text))]


def head_of(sentence: str) -> str:
    """The word that says what kind it is; nothing for a tactic."""
    found = HEAD.match(sentence)
    return found.group(1) if found else ""
