"""Every format is a rendering of the same sections."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from accordant import Report, RequestError
from pages import is_a, written

REMOTE = re.compile(r"""(?:src|href|url|action|data)\s*=?\s*[("']\s*(?:https?:)?//""", re.I)


@pytest.mark.parametrize("suffix", Report.endings)
def test_saves(made: Report, tmp_path: Path, suffix: str) -> None:
    target = made.save(tmp_path / f"report{suffix}")
    assert target.stat().st_size > 10_000
    assert [p.name for p in tmp_path.iterdir()] == [target.name]
    if suffix == ".pdf":
        assert target.read_bytes().startswith(b"%PDF-")
    else:
        target.read_text("utf-8")


def test_an_unknown_ending_is_told(made: Report, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"\.html, \.pdf, \.md, \.tex, \.json"):
        made.save(tmp_path / "report.docx")


def test_a_failed_save_leaves_the_older_file(
    made: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "report.md"
    target.write_text("older")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "disk full")))
    with pytest.raises(RequestError, match="disk full"):
        made.save(target)
    assert [p.name for p in tmp_path.iterdir()] == ["report.md"]
    assert target.read_text() == "older"


def test_a_missing_folder_is_told(made: Report, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="there is no folder"):
        made.save(tmp_path / "nowhere" / "report.md")


def test_same_numbers_in_every_format(made: Report) -> None:
    row = made.table["stance", "alpha"]
    wanted = [f"{x:.3f}" for x in (row.value, row.low, row.observed, row.expected, row.se)]
    for text in (written(made, ".html"), written(made, ".md"), written(made, ".tex")):
        for number in wanted:
            assert number in text
    assert f"{row.value:.3f}" in made.summary()


def test_json_has_every_row_unrounded(made: Report) -> None:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    found = json.loads(made.to_json(), parse_constant=refuse)
    assert [s["key"] for s in found["sections"]] == [s.key for s in made.sections]
    alpha = next(
        r
        for r in found["coefficients"]
        if r["question"] == "stance" and r["coefficient"] == "alpha"
    )
    assert alpha["value"] == made.table["stance", "alpha"].value
    spam = [r for r in found["coefficients"] if r["question"] == "spam"]
    assert all(r["value"] is None for r in spam if r["coefficient"] == "alpha")
    assert found["fingerprint"] == made.table.data.fingerprint


class Page(HTMLParser):
    """Checks that tags are balanced and collects what matters."""

    VOID = frozenset({"meta", "link", "input", "br", "img", "hr"})
    IMPLIED = frozenset({"td", "th", "tr", "thead", "tbody", "li", "dt", "dd", "option"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.handlers += [name for name, _ in attrs if name.startswith("on") or name == "style"]
        if tag not in self.VOID | self.IMPLIED:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.IMPLIED:
            assert self.open.pop() == tag


def page_of(found: Report) -> Page:
    page = Page()
    page.feed(written(found, ".html"))
    assert page.open == []
    return page


def test_html_is_well_formed_and_needs_nothing_else(made: Report) -> None:
    page = page_of(made)
    assert len(page.ids) == len(set(page.ids))
    assert page.handlers == []
    assert page.tags.count("script") == 3
    drawn = [b for s in made.sections for b in s.every_block() if is_a(b, "Chart")]
    assert page.tags.count("svg") >= len([b for b in drawn if b.depth != "evidence"])
    text = written(made, ".html").replace('href="https://doi.org', "")
    text = text.replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not REMOTE.search(re.sub(r"<(pre|li)\b.*?</\1>", "", text, flags=re.S))


def test_html_escapes_everything(hostile: Report) -> None:
    page = page_of(hostile)
    assert page.tags.count("script") == 3
    assert "img" not in page.tags
    text = written(hostile, ".html")
    assert "<b>A" not in text
    assert "&lt;script&gt;alert(0)&lt;/script&gt;" in text
    assert "{{ 7 * 7 }}" in text


def test_markdown_escapes_cells(hostile: Report) -> None:
    for line in written(hostile, ".md").splitlines():
        assert "<img" not in line or "\\<img" in line
        if line.startswith("| "):
            head = re.sub(r"\\\|", "", line)
            assert head.count("|") >= 3


def test_markdown_tables_are_rectangular(made: Report, hostile: Report) -> None:
    for found in (made, hostile):
        width = None
        for line in written(found, ".md").splitlines():
            n = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else None
            assert width is None or n is None or n == width, line
            width = n


def test_latex_is_balanced(made: Report, hostile: Report) -> None:
    for found in (made, hostile):
        text = written(found, ".tex")
        assert text.count(r"\begin{longtable}") == text.count(r"\end{longtable}") > 5
        bare = re.sub(r"\\[{}%]", "", re.sub(r"(?m)^%.*$", "", text))
        assert bare.count("{") == bare.count("}")
        assert not re.search(r"(?<!\\)[#$]", bare)


def test_latex_rows_have_as_many_cells_as_columns(made: Report) -> None:
    for table in re.findall(
        r"\\begin\{longtable\}.*?\\end\{longtable\}", written(made, ".tex"), re.S
    ):
        align = table.split("{longtable}{", 1)[1].split("\n")[0][:-1]
        n = len(re.sub(r"p\{.*?\}", "p", align))
        body = table.split(r"\endhead")[1].split(r"\bottomrule")[0]
        for line in body.strip().splitlines():
            assert len(re.findall(r"(?<!\\)&", line)) == n - 1, line


def test_hostile_texts_set_a_pdf(hostile: Report, tmp_path: Path) -> None:
    assert hostile.save(tmp_path / "r.pdf").read_bytes().startswith(b"%PDF-")


def test_summary_is_text_for_a_terminal(made: Report) -> None:
    text = made.summary()
    assert max(map(len, text.splitlines())) <= 120
    assert made.title.split(":")[0] in text
    assert "stance" in text
