#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Writes what the documentation takes from the operators themselves.

    python3 make_pages.py ANYDML ROOT [--check]

    docs/operators/*.md        a page per folder of src/operators, and per section of the README of
                               the element-wise ones: its words, the pictures and the tables of
                               its schemas
    docs/pictures/*.svg        `anydml draw` of every model that is small enough, but plots of
                               element-wise functions; half_precision.svg, house.svg and
                               unet_gradients.svg
    docs/operators/README.md   the index and the support table
    README.md                  the short table of speed, between marks
    docs/benchmarks.md         a summary and the table of all rows, between marks

With --check nothing is written: it fails and tells what is not as it would be written. ANYDML is
the command of a build of ROOT; which devices it was built for makes no difference.
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import argparse
import json
import pathlib
import re
import subprocess

import elements
import functions
import half_precision
import house
import speed

TYPES = ["FLOAT32", "FLOAT16", "FLOAT64", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16",
         "UINT32", "UINT64"]
REGISTRY_LINE = re.compile(r"&(\w+)::\w+,\s*// (\d+)")
KERNEL_NAME = re.compile(r'\{\.name = "(\w+)"')
TABLE = "elementwise"     # the folder whose operators are rows of a table
SECTION = re.compile(r"^## (\w+): ([A-Z0-9_, ]+)\n", re.MULTILINE)
NOT_DRAWN = {"half_precision_resize_gradient",      # 128 x 128
             "activation_relu_grad_owned",          # two dispatches
             "diagonal_matrix", "fill_value_constant", "fill_value_sequence"}     # no input
# In a schema: the words above a rule that no table can say.
RULE = re.compile(r"((?:^ *//.*\n)*)^ *\.rule = ", re.MULTILINE)
MICROSOFT = "https://learn.microsoft.com/windows/{}/ns-directml-dml_{}_operator_desc"
LAST_OF_WINDOWS = (5, 0)     # later operators came with the redistributable: pages elsewhere
MADE = "<!-- Written by tools/docs/make_pages.py from the schema and the README of the folder. -->"


class Operators:
    """What the command and the tree say about operators."""

    def __init__(self, command, root):
        self.command, self.root, self.made_elements = command, root, {}
        self.all = json.loads(self.run("ops", "--json"))
        registry = (root / "src/operators/registry.cpp").read_text()
        folders = {int(value): folder for folder, value in REGISTRY_LINE.findall(registry)}
        self.sections = self.read_sections()
        pages = {name: page for page, (names, _) in self.sections.items() for name in names}
        for op in self.all:
            op["folder"] = folders.get(op["value"], TABLE)
            op["page"] = pages[op["name"]] if op["folder"] == TABLE else op["folder"]

    def read_sections(self):
        """{page: (its operators, its words)} of the element-wise operators."""
        text = (self.root / "src/operators" / TABLE / "README.md").read_text()
        parts = SECTION.split(text)[1:]
        return {page: (names.split(", "), re.sub("^### ", "## ", words.strip("\n") + "\n",
                                                 flags=re.MULTILINE))
                for page, names, words in zip(parts[::3], parts[1::3], parts[2::3])}

    def run(self, *arguments, **options):
        return subprocess.run([self.command, *map(str, arguments)], check=True, text=True,
                              stdout=subprocess.PIPE, **options).stdout

    def pages(self):
        """{page: its operators}, oldest first, in order of the names."""
        found = {}
        for op in self.all:
            found.setdefault(op["page"], []).append(op)
        return dict(sorted(found.items()))

    def devices(self, op):
        """CUDA where the folder has kernels of its own or names one that the CUDA library lists."""
        folder = self.root / "src/operators" / op["folder"]
        if op["folder"] == TABLE or (folder / "cuda.cu").is_file():
            return "CPU, CUDA"
        sources = "".join(source.read_text() for source in folder.glob("*.cpp"))
        listed = KERNEL_NAME.findall((folder.parent / "kernels_cuda.cpp").read_text())
        return "CPU, CUDA" if any(f'"{name}"' in sources for name in listed) else "CPU"

    def elements(self, folder, ops):
        """{name: elements.Element} of a page of element-wise operators."""
        if folder not in self.sections:
            return {}
        if folder not in self.made_elements:
            self.made_elements[folder] = {op["name"]: elements.Element(self, op) for op in ops}
        return self.made_elements[folder]

    def rule(self, op):
        """What the comment above `.rule` in its schema says, or None."""
        if op["folder"] == TABLE:
            return None
        folder = self.root / "src/operators" / op["folder"]
        schema = "".join(path.read_text() for path in sorted(folder.glob("*schema.h")))
        own = schema.split(f'.name = "{op["name"]}"')[1].split("\n};")[0]
        found = RULE.search(own)
        if not found:
            return None
        words = " ".join(re.findall(r"// (.*)", found.group(1)))
        if not words.startswith("Rule: "):
            raise SystemExit(f"{op['name']}: the schema's .rule wants a comment \"// Rule: ...\"")
        return words.removeprefix("Rule: ")

    def drawn_models(self, op):
        """Its models, by name: <operator>.json first, then those that show more of it."""
        name = op["name"].lower()
        models = sorted((self.root / "models").glob(f"{name}*.json"))
        return [model.stem for model in models
                if re.fullmatch(rf"{name}(_[a-z]+)?", model.stem) and model.stem not in NOT_DRAWN
                and not any(model.stem.startswith(other["name"].lower())
                            for other in self.all if other["name"].startswith(op["name"] + "_"))]


def level_of(op, data_type):
    """The least level at which the operator takes the type, as far as its first tensor goes."""
    first = op["tensors"][0]["name"]
    levels = [row["level"] for row in op["support"]
              if data_type in row["data_types"] and first in row["tensors"]]
    return min(levels, key=lambda level: [int(part) for part in level.split("_")], default="")


def support_table(operators):
    short = [re.sub(r"^([A-Z])[A-Z]*", r"\1", name) for name in TYPES]     # F32, I8
    lines = ["| operator | " + " | ".join(short) + " | devices |",
             "|---|" + "---|" * (len(TYPES) + 1)]
    for op in operators.all:
        levels = " | ".join(level_of(op, data_type) for data_type in TYPES)
        page = f"{op['page']}.md"
        lines.append(f"| [{op['name']}]({page}) | {levels} | {operators.devices(op)} |")
    return "\n".join(lines)


def fill(text, name, made):
    """The text with `made` between the marks of that name."""
    before, rest = text.split(f"<!-- {name} -->")
    _, after = rest.split(f"<!-- end of {name} -->")
    return f"{before}<!-- {name} -->\n{made}\n<!-- end of {name} -->{after}"


def readme(operators):
    return fill((operators.root / "README.md").read_text(), "speed table",
                speed.short_table(operators.root))


def benchmarks(operators):
    text = fill((operators.root / "docs/benchmarks.md").read_text(), "speed summary",
                speed.summary(operators.root))
    return fill(text, "all rows", speed.table(operators.root))


def words_of(operators, folder):
    """The README of a folder without its title, as far as it speaks to users: what comes before
    the first heading, what surprises, and sections about operators. Of an element-wise operator,
    its section."""
    return words_of_readme(operators, folder).replace("](../../kernels/", "](../../src/kernels/")


def words_of_readme(operators, folder):
    if folder in operators.sections:
        return operators.sections[folder][1]
    text = (operators.root / "src/operators" / folder / "README.md").read_text()
    parts = re.split(r"^(?=## )", text.split("\n", 1)[1].strip("\n") + "\n", flags=re.MULTILINE)
    names = {op["name"] for op in operators.all}
    return "".join(part for i, part in enumerate(parts) if i == 0 or part.startswith("## What")
                   or re.match(r"(?:## )?(\w*)", part).group(1) in names)


def microsofts_page(op):
    level = tuple(int(part) for part in op["level"].split("_"))
    folder = "win32/api/directml" if level <= LAST_OF_WINDOWS else "ai/directml/api"
    return MICROSOFT.format(folder, op["name"].lower())


def tables_of(operators, op):
    """`anydml ops --markdown`, with the devices of a build that has all."""
    heading, rest = operators.run("ops", op["name"], "--markdown").split("\n", 1)
    facts = [f"value {op['value']}", f"since feature level {op['level']}",
             "in place: " + (", ".join(op["in_place"]) or "no"),
             f"devices: {operators.devices(op)}"]
    tables, _, constraints = rest.partition("\n\n- ")
    rule = operators.rule(op)
    holds = (f"- {constraints}" if constraints else "") + (f"- {rule}\n" if rule else "")
    holds = f"What must hold:\n\n{holds}" if holds else ""
    return (f"{heading.split(' (')[0]}\n\n[Microsoft's page]({microsofts_page(op)}); "
            f"{'; '.join(facts)}.\n{tables}\n\n{holds}")


def plotted(operators, folder, ops):
    return [element for element in operators.elements(folder, ops).values()
            if elements.is_plotted(element.op)]


def pictures_of(operators, op):
    """The operator's models, drawn; of a plotted function the model alone."""
    is_plotted = op["folder"] == TABLE and elements.is_plotted(op)
    lines = []
    for model in operators.drawn_models(op):
        link = f"[models/{model}.json](../../models/{model}.json)"
        lines += [f"An example: {link}.", ""] if is_plotted else \
            [f"{link}, drawn by `anydml draw models/{model}.json --taps`:", "",
             f"![{op['name']}: where each element goes](../pictures/{model}.svg)", ""]
    return lines


def page(operators, folder, ops):
    names = ", ".join(op["name"] for op in ops)
    lines = [MADE, "", f"# {names}", "", words_of(operators, folder)]
    if plotted(operators, folder, ops):
        lines += [f"![Functions and their derivatives](../pictures/functions_{folder}.svg)", "",
                  "Runs of the operators and of their gradients, with the parameters of their "
                  "models.", ""]
    for op in ops:
        lines.append(tables_of(operators, op))
        if folder in operators.sections:
            lines += elements.facts(operators.elements(folder, ops)[op["name"]])
        lines += pictures_of(operators, op)
    source = f"kernels/{TABLE}" if folder in operators.sections else f"operators/{folder}"
    lines += [f"How it is computed: [src/{source}]"
              f"(../../src/{source}/README.md). Numbers such as B13: "
              "[rulings](../rulings.md) and [rules](../rules.md).", ""]
    return "\n".join(lines)


def index(operators):
    lines = [MADE, "", "# Operators", "", "| page | operators |", "|---|---|"]
    for folder, ops in operators.pages().items():
        lines.append(f"| [{folder}]({folder}.md) | {', '.join(op['name'] for op in ops)} |")
    lines += ["", "The feature level from which each operator takes each data type (F, I, U: FLOAT, "
              "INT, UINT), as on Microsoft's pages:", "", support_table(operators), ""]
    return "\n".join(lines)


def files(operators):
    """{path: what belongs there}."""
    made = {"README.md": readme(operators), "docs/benchmarks.md": benchmarks(operators),
            "docs/operators/README.md": index(operators)}
    for folder, ops in operators.pages().items():
        made[f"docs/operators/{folder}.md"] = page(operators, folder, ops)
        if plotted(operators, folder, ops):
            made[f"docs/pictures/functions_{folder}.svg"] = functions.draw(
                plotted(operators, folder, ops))
        for op in ops:
            if op["folder"] == TABLE and elements.is_plotted(op):
                continue
            for model in operators.drawn_models(op):
                made[f"docs/pictures/{model}.svg"] = operators.run(
                    "draw", operators.root / "models" / f"{model}.json", "--taps")
    made["docs/pictures/half_precision.svg"] = half_precision.draw(operators.run, operators.root)
    made["docs/pictures/house.svg"] = house.draw(operators.root)
    gradients = operators.run("grad", operators.root / "models/unet.json", "--loss", "loss",
                              "--of", "c1,c2,c3,c4")
    made["docs/pictures/unet_gradients.svg"] = operators.run("draw", "-", input=gradients)
    return made


def stale(operators, root, made):
    for path, text in made.items():
        file = root / path
        if not file.is_file() or file.read_text() != text:
            yield f"{path} is not what tools/docs/make_pages.py writes: run `make pages`"
    for file in sorted((root / "docs/operators").glob("*.md")):
        if f"docs/operators/{file.name}" not in made:
            yield f"docs/operators/{file.name} belongs to no folder of src/operators"
    for op in operators.all:
        for model in operators.drawn_models(op):
            path = f"docs/pictures/{model}.svg"
            if path not in made and (root / path).is_file():
                yield f"{path} is on no page: remove it"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    operators = Operators(options.command, options.root)
    made = files(operators)
    if options.check:
        problems = list(stale(operators, options.root, made))
        print("\n".join(problems))
        sys.exit(1 if problems else 0)
    for path, text in made.items():
        (options.root / path).parent.mkdir(parents=True, exist_ok=True)
        (options.root / path).write_text(text)


if __name__ == "__main__":
    main()
