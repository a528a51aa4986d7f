#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Proves that layering_test.py can fail: a small tree that follows every rule passes, and each
way to break a rule in it is reported, by the rule that it breaks and for the file that does it.
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import pathlib
import tempfile
import unittest

import layering_test

CPP_LICENCE = "// SPDX-FileCopyrightText: 2026 A\n// SPDX-License-Identifier: MIT\n"
LICENCE = CPP_LICENCE.replace("//", "#")

GOOD_TREE = {
    "CMakeLists.txt": LICENCE + "# no file(GLOB ...) here\nadd_subdirectory(src)\n",
    "include/anydml/anydml.h": CPP_LICENCE,
    "src/c_api/device.h": CPP_LICENCE + '#include "anydml/anydml.h"\n',
    "src/base/result.h": CPP_LICENCE + "#include <string>\n",
    "src/tensor/desc.h": CPP_LICENCE + '#include "base/result.h"\n#include "tensor/x.h"\n',
    "src/schema/schema.h": CPP_LICENCE + '#include <directml.h>\n#include "tensor/desc.h"\n'
                           '// a slice of MAX_POOLING_GRAD::x\nint slice, reslice_grade;\n',
    "src/schema/operator_names.cpp": CPP_LICENCE + '"relu_grad"\n',
    "src/backends/cpu/rows.h": CPP_LICENCE + '#include "base/result.h"\n',
    "src/operators/CMakeLists.txt": LICENCE + "anydml_add_operator(relu_grad)\n",
    "src/operators/operator.h": CPP_LICENCE + '#include "schema/schema.h"\n',
    "src/operators/operators.h": CPP_LICENCE + '#include "operators/relu_grad/desc.h"\n',
    "src/operators/registry.cpp": CPP_LICENCE + '#include "operators/operators.h"\nrelu_grad::k\n',
    "src/operators/relu_grad/desc.h": CPP_LICENCE + '#include "operators/operator.h"\n'
                                      '#include "operators/relu_grad/plan.h"\nReluGrad\n',
    "src/operators/relu_grad/test.cpp": CPP_LICENCE + '#include "support/run.h"\n',
    "src/operators/relu_grad/test_refusals.cpp": CPP_LICENCE + '#include "support/run.h"\n',
    "src/operators/slice/desc.h": CPP_LICENCE + "namespace anydml::slice {}\n",
    "tests/support/run.h": CPP_LICENCE + "relu_grad\n",
    "tests/CMakeLists.txt": LICENCE + "anydml_add_test(run_test graph/run_test.cpp)\n",
    "tests/graph/run_test.cpp": CPP_LICENCE,
    "python/CMakeLists.txt": LICENCE + "anydml_add_python_test(arrays PACKAGES torch)\n",
    "python/tests/test_arrays.py": LICENCE,
    "tools/CMakeLists.txt": LICENCE,
}
for folder, words in {"include": "`anydml/anydml.h`", "python": "`tests/`", "src/backends": "cpu/",
                      "tests": "`graph`, `support`", "tools": ""}.items():
    GOOD_TREE[f"{folder}/README.md"] = words + "\n"
for layer in ("backends/cpu", "base", "c_api", "operators", "operators/relu_grad", "operators/slice",
              "schema", "tensor"):
    GOOD_TREE[f"src/{layer}/README.md"] = "line\n" * 60

# rule, file, what it holds: added to (or put in the place of) a file of the good tree.
BAD_FILES = [
    ("layers", "src/base/bad.h", '#include "tensor/desc.h"\n'),
    ("layers", "src/tensor/bad.h", '#include "schema/schema.h"\n'),
    ("layers", "src/tensor/bad.h", '  #  include "backends/cpu/rows.h"\n'),
    ("layers", "src/tensor/bad.h", '#include "operators/operator.h"\n'),
    ("layers", "src/schema/bad.h", '#include "backends/cpu/rows.h"\n'),
    ("layers", "src/schema/bad.cpp", '#include "operators/operator.h"\n'),
    ("layers", "src/backends/cpu/bad.cpp", '#include "schema/schema.h"\n'),
    ("layers", "src/backends/cpu/bad.cpp", '#include "operators/operator.h"\n'),
    ("layers", "src/backends/cpu/bad.cpp", "#include <schema/schema.h>\n"),
    ("layers", "src/operators/slice/bad.cpp", '#include "directml/device.h"\n'),
    ("layers", "src/model/bad.cpp", '#include "operators/operator.h"\n'),
    ("layers", "src/helpers", None),
    ("quoted_includes", "src/operators/slice/bad.cpp", '#include "desc.h"\n'),
    ("quoted_includes", "src/operators/slice/bad.cpp", '#include "../relu_grad/desc.h"\n'),
    ("quoted_includes", "src/operators/slice/bad.cpp", '#include "support/run.h"\n'),
    ("quoted_includes", "src/schema/test.cpp", '#include "support/run.h"\n'),
    ("folders_apart", "src/operators/slice/bad.cpp", '#include "operators/relu_grad/desc.h"\n'),
    ("folders_apart", "src/operators/operator.cpp", '#include "operators/slice/desc.h"\n'),
    ("folders_apart", "src/operators/slice/bad.cpp", '#include "operators/operators.h"\n'),
    ("operators_unnamed", "src/tensor/bad.h", "void relu_grad();\n"),
    ("operators_unnamed", "src/tensor/bad.h", "int max_pooling2 = 0;\n"),
    ("operators_unnamed", "src/tensor/bad.h", "int kSliceGrad = 0;\n"),
    ("operators_unnamed", "src/backends/bad.h", "// Only clip_grad needs this.\n"),
    ("operators_unnamed", "src/operators/operator.cpp", "slice::MakeDesc();\n"),
    ("operators_unnamed", "src/operators/operator.cpp", "namespace anydml::slice {\n"),
    ("licences", "src/base/bad.h", ""),
    ("licences", "tests/abi/bad.sh", "#!/bin/sh\n# SPDX-License-Identifier: MIT\n"),
    ("licences", "tools/CMakeLists.txt", "# SPDX-FileCopyrightText: 2026 A\n"),
    ("licences", "tests/c_api/bad.c", "int main(void) { return 0; }\n"),
    ("licences", "include/directml.h", "\n" * 5 + CPP_LICENCE),
    ("explicit_file_lists", "src/CMakeLists.txt", "file(GLOB sources *.cpp)\n"),
    ("explicit_file_lists", "cmake/bad.cmake", "FILE ( GLOB_RECURSE sources *.cpp)\n"),
    ("lengths", "src/base/bad.h", "\n" * 599),
    ("maps", "src/operators/clip", None),
    ("maps", "src/graph", None),
    ("maps", "src/base/README.md", "line\n" * 61),
    ("maps", "src/backends/vulkan", None),
    ("maps", "packaging", None),
    ("complete_maps", "tests/order", None),
    ("complete_maps", "tools/order", "#!/bin/sh\n"),
    ("complete_maps", "include/anydml/order.hpp", ""),
    ("complete_maps", "src/backends/order.h", ""),
    ("listed_tests", "tests/graph/order_test.cpp", ""),
    ("listed_tests", "tests/command/order_test.py", ""),
    ("listed_tests", "python/tests/test_torch_arrays.py", ""),
]


def with_licence(rule, path, text):
    if rule == "licences":
        return text
    return (CPP_LICENCE if path.endswith((".h", ".cpp")) else LICENCE) + text


class LayeringSelfCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for path, text in GOOD_TREE.items():
            self.write(path, text)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def found(self):
        return {(v.rule, v.path) for v in layering_test.violations(self.root)}

    def test_a_tree_that_follows_the_rules_passes(self):
        self.assertEqual(self.found(), set())

    def test_a_file_of_600_lines_passes(self):
        self.write("src/base/long.h", CPP_LICENCE + "\n" * 598)
        self.assertEqual(self.found(), set())

    def test_every_rule_has_a_way_to_break_it(self):
        self.assertEqual({rule for rule, _, _ in BAD_FILES},
                         {rule.__name__ for rule in layering_test.RULES})


def report_of(rule, path, text):
    def test(self):
        if text is None:
            (self.root / path).mkdir(parents=True)
        else:
            self.write(path, with_licence(rule, path, text))
        self.assertIn((rule, path), self.found())
    return test


for number, bad in enumerate(BAD_FILES):
    name = f"test_reports_{number:02}_{bad[0]}_of_{bad[1].replace('/', '_').replace('.', '_')}"
    setattr(LayeringSelfCheck, name, report_of(*bad))

if __name__ == "__main__":
    unittest.main()
