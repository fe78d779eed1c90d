# SPDX-License-Identifier: BSD-3-Clause
"""What the text of a report page holds, for tests that need no browser."""
from html.parser import HTMLParser

from tables import expect, failures


class Page(HTMLParser):
    """Elements with their attributes, the text of table cells by section, their data-v, and whether all are closed."""

    VOID = {"meta", "path", "rect", "br"}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.text, self.cell = [], [], [], None
        self.rows, self.values, self.section = {}, {}, None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append((tag, attributes))
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "h2":
            self.section = attributes.get("id")
        if tag == "tr":
            self.rows.setdefault(self.section, []).append([])
            self.values.setdefault(self.section, []).append([])
        if tag in ("td", "th"):
            self.cell = []
            self.values[self.section][-1].append(attributes.get("data-v"))

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        if not self.open or self.open.pop() != tag:
            failures.append(f"</{tag}> does not match")
        if tag in ("td", "th"):
            self.rows[self.section][-1].append("".join(self.cell))
            self.cell = None

    def columns(self, section):
        """The rows of the section's table by their first cell, each with its cells by column."""
        head, *rows = self.rows[section]
        return {row[0]: dict(zip(head, row)) for row in rows}

    def handle_data(self, data):
        self.text.append(data)
        if self.cell is not None:
            self.cell.append(data)


def check_self_contained(scenario, page):
    tags = {tag for tag, _ in page.elements}
    expect(not tags & {"link", "img", "iframe", "object", "embed", "base"}, f"{scenario}: {tags}")
    for tag, attributes in page.elements:
        expect(not set(attributes) & {"src", "onerror", "onload", "onclick"}, f"{scenario}: {tag} {attributes}")
        expect(attributes.get("href", "#").startswith("#"), f"{scenario}: {tag} {attributes}")
    scripts = [attributes for tag, attributes in page.elements if tag == "script"]
    blocks = [{"type": "application/json", "id": name} for name in ("timeline-data", "run-data")]
    expect(scripts in (blocks + [{}], [{}]), f"{scenario}: scripts {scripts}")
    expect(not page.open, f"{scenario}: never closed: {page.open}")
