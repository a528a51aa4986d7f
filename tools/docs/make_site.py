#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The site: every page of the tree as HTML, by Debian's cmark-gfm, which reads Markdown as GitHub does.

    python3 make_site.py ROOT SITE

writes SITE/index.html (the README) and the other pages where they lie in the tree, with the files
that they link to. Links to pages become links to their HTML; links to folders and to files that
are no pages lead to copies.
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import html
import pathlib
import re
import shutil
import subprocess

NAVIGATION = [
    ("AnyDML", [("Overview", "README.md"), ("What is new", "CHANGELOG.md")]),
    ("Use it", [("Models in JSON", "docs/models.md"), ("Python and PyTorch", "docs/python.md"),
                ("NVIDIA devices", "docs/cuda.md"), ("Porting", "docs/porting.md"),
                ("Examples", "examples/README.md"), ("Packages", "packaging/README.md")]),
    ("Believe it", [("Rulings", "docs/rulings.md"), ("Rules", "docs/rules.md"),
                    ("Reliability", "docs/reliability.md"), ("Security", "SECURITY.md"),
                    ("Benchmarks", "docs/benchmarks.md"),
                    ("How it is measured", "bench/README.md")]),
    ("Operators", []),              # one per page of docs/operators
    ("Build on it", [("Architecture", "docs/architecture.md"),
                     ("Adding an operator", "docs/adding_an_operator.md"),
                     ("Contributing", "CONTRIBUTING.md")]),
]
FOLDERS = ["cmake", "docs", "examples", "include", "models", "packaging", "python", "src", "tests",
           "tools"]                 # whose other pages the site has too
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="{description}">
<title>{title}</title>
<link rel="stylesheet" href="{root}site.css">
</head>
<body>
<nav><details><summary>AnyDML</summary>
{navigation}
</details></nav>
<script>
// Open where there is room beside the page.
if (matchMedia("(min-width: 68em)").matches) document.querySelector("nav details").open = true;
</script>
<main>
{body}
</main>
</body>
</html>
"""
HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>")
TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
CODE = re.compile(r"(?<!<pre>)<code>(.*?)</code>")
OPTION = re.compile(r"--[a-z][a-z-]*")
LONG_NAME = re.compile(r"[\w./-]{14,}")     # of a file or a test: too long for a column
BETWEEN_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[/_])(?=\w)|(?=\.[A-Z])")
PICTURE = re.compile(r'<img src="([^"]+\.svg)"')
WIDEST_FITTED = 640     # pixels: the widest picture whose words can be read on a telephone as a whole
TARGET = re.compile(r'(href|src)="([^"#:]+)(#[^"]*)?"')


def pages(root):
    """Paths of the pages that the site has, from the root."""
    listed = [path for _, entries in NAVIGATION for _, path in entries]
    found = [path for path in listed if (root / path).is_file()]
    for folder in FOLDERS:
        found += sorted(path.relative_to(root).as_posix() for path in (root / folder).rglob("*.md"))
    return list(dict.fromkeys(found))


def html_path(path):
    if path == "README.md":
        return "index.html"
    return re.sub(r"README\.md$", "index.html", re.sub(r"(?<!README)\.md$", ".html", path))


def up(path):
    """From a page back to the root of the site."""
    return "../" * path.count("/")


def slug(words):
    """As GitHub makes anchors; tests/docs/links_test.py knows the same rule."""
    plain = html.unescape(re.sub(r"<[^>]*>", "", words))
    return re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-")


def description(body):
    """The first paragraph without its marks, for who looks for the page: at most 300 characters."""
    paragraph = re.search(r"<p>(?!<img)(.*?)</p>", body, re.DOTALL)
    words = re.sub(r"<[^>]*>", "", paragraph.group(1)) if paragraph else ""
    return html.escape(" ".join(html.unescape(words).split())[:300])


def heading(match):
    """With its anchor; names like MAX_POOLING_GRAD may break behind an underscore."""
    level, words = match.groups()
    return f'<h{level} id="{slug(words)}">{words.replace("_", "_<wbr>")}</h{level}>'


def code(match):
    """Names may break between their words, options not at their hyphens."""
    words = LONG_NAME.sub(lambda name: BETWEEN_WORDS.sub("<wbr>", name[0]), match.group(1))
    words = OPTION.sub(r"<span>\g<0></span>", words)
    return f"<code>{words}</code>"


def table(match):
    """In a box of its own, which scrolls; one with sentences in it is told from one of figures."""
    cells = re.findall(r"<td[^>]*>(.*?)</td>", match.group(0), re.DOTALL)
    sentences = any(len(re.sub(r"<[^>]*>", "", cell)) > 90 for cell in cells)
    kind = "table sentences" if sentences else "table"
    return f'<div class="{kind}">{match.group(0)}</div>'


def arrows(body):
    """Words like "2 -> 4" do not break inside the arrow; code blocks never do."""
    parts = re.split(r"(<pre.*?</pre>)", body, flags=re.DOTALL)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"(?<=>)[^<]+",
                          lambda words: words[0].replace("-&gt;", "<span>-&gt;</span>"), parts[i])
    return "".join(parts)


def picture(folder, match):
    """As wide as the page, or marked as one that scrolls on a narrow page."""
    width = re.search(r'<svg[^>]* width="(\d+)"', (folder / match.group(1)).read_text())
    kind = ' class="wide"' if width and int(width.group(1)) > WIDEST_FITTED else ""
    return f"<img{kind}{match.group(0)[4:]}"


class Site:
    def __init__(self, root, site):
        self.root, self.site = root, site
        self.pages = pages(root)
        self.files = set()          # that pages link to and that are no pages

    def navigation(self, here):
        lines = []
        for part, entries in NAVIGATION:
            entries = [entry for entry in entries if entry[1] in self.pages]
            if part == "Operators":
                entries = [(pathlib.Path(path).stem, path) for path in self.pages
                           if re.fullmatch(r"docs/operators/[a-z_]+\.md", path)]
            lines.append(f"<h2>{part}</h2>\n<ul>")
            for name, path in entries:
                mark = ' aria-current="page"' if path == here else ""
                lines.append(f'<li><a href="{up(here)}{html_path(path)}"{mark}>{name}</a></li>')
            lines.append("</ul>")
        return "\n".join(lines)

    def relinked(self, here, match):
        attribute, target, anchor = match.group(1), match.group(2), match.group(3) or ""
        path = (self.root / here).parent.joinpath(html.unescape(target)).resolve()
        if path.is_dir():
            path /= "README.md"
        try:
            name = path.relative_to(self.root).as_posix()
        except ValueError:
            return match.group(0)
        if name in self.pages:
            return f'{attribute}="{up(here)}{html_path(name)}{anchor}"'
        if path.is_file():
            self.files.add(name)
        return f'{attribute}="{up(here)}{name}{anchor}"'

    def render(self, path):
        text = (self.root / path).read_text()
        body = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "strikethrough"],
                              input=text, text=True, check=True, stdout=subprocess.PIPE).stdout
        body = HEADING.sub(heading, body)
        body = PICTURE.sub(lambda match: picture((self.root / path).parent, match), body)
        body = TARGET.sub(lambda match: self.relinked(path, match), body)
        body = TABLE.sub(table, body)
        body = arrows(CODE.sub(code, body))
        title = re.search(r"^# (.*)$", text, re.MULTILINE)
        words = html.escape(title.group(1)) if title else "AnyDML"
        return PAGE.format(title=words if words == "AnyDML" else f"{words} - AnyDML", body=body,
                           description=description(body),
                           navigation=self.navigation(path), root=up(path))

    def write(self):
        shutil.rmtree(self.site, ignore_errors=True)
        for path in self.pages:
            target = self.site / html_path(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(self.render(path))
        for name in sorted(self.files):
            (self.site / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.root / name, self.site / name)
        shutil.copy(self.root / "tools/docs/site.css", self.site / "site.css")


def broken(site):
    """Links of the site that lead nowhere inside it."""
    for page in sorted(site.rglob("*.html")):
        for _, target, anchor in re.findall(r'(href|src)="([^"#:]*)(#[^"]*)?"', page.read_text()):
            path = (page.parent / target).resolve() if target else page
            where = page.relative_to(site)
            if not path.is_file():
                yield f"{where}: {target} is not there"
            elif anchor and path.suffix == ".html" and f'id="{anchor[1:]}"' not in path.read_text():
                yield f"{where}: {target}{anchor} names no heading"


def main():
    if shutil.which("cmark-gfm") is None:
        print("cmark-gfm is not here; Debian has it in a package of that name")
        sys.exit(77)
    root, site = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    Site(root, site).write()
    found = list(broken(site))
    print("\n".join(found) if found else f"{site}/index.html")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
