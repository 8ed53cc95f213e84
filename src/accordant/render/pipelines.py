"""A gate as pipelines read it: a JUnit report, and annotations of a GitHub workflow."""

from __future__ import annotations

from xml.etree import ElementTree

from ..diagnosis.gate import Check, Condition
from ..fields import shown


def junit(check: Check, file: str) -> str:
    """One test case for each condition."""
    n = sum(one.outcome != "holds" for one in check.records)
    about = {"name": "accordant check", "tests": str(len(check.records)), "failures": str(n)}
    suite = ElementTree.Element("testsuite", about)
    for one in check.records:
        named = {"classname": ".".join(filter(None, (file, one.question))), "name": one.condition}
        case = ElementTree.SubElement(suite, "testcase", named)
        ElementTree.SubElement(case, "system-out").text = _told(one)
        if one.outcome != "holds":
            ElementTree.SubElement(case, "failure", {"message": _told(one), "type": one.outcome})
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True)


def github(check: Check, file: str) -> str:
    """One line for each condition: an error where it falls short, else a notice."""
    return "\n".join(_command(one, file) for one in check.records)


def _command(one: Condition, file: str) -> str:
    level = "notice" if one.outcome == "holds" else "error"
    place = {"file": file, "title": one.name}
    told = ",".join(f"{name}={_escaped(x, ':,')}" for name, x in place.items() if x)
    return f"::{level} {told}::{_escaped(_told(one))}"


def _escaped(text: str, more: str = "") -> str:
    """Text as a workflow command holds it, by the rules of GitHub."""
    for sign in f"%\r\n{more}":
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


def _told(one: Condition) -> str:
    """A condition in one line: its figure, and how sure that is."""
    measured = one.low == one.low
    interval = shown("interval", (one.low, one.high)) if measured else ""
    value = shown("value", one.value) if measured else f"{one.value:g}"
    figure = " ".join(filter(None, (value, interval))) if one.outcome != "undefined" else ""
    sure = f"{one.outcome} ({one.certainty})" if one.certainty else one.outcome
    return ": ".join(filter(None, (sure, figure, one.reason)))


FORMATS = {"junit": junit, "github": github}
"""Formats by what is asked for."""
