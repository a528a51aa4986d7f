#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Writes the JSON files of this folder: descriptions, inputs and results of the reference.

Why: the tests judge every implementation by a slow oracle written in C++. Something has to judge
the oracle. These files hold what another program, reference.py, answers to several hundred random
descriptions. It was written from Microsoft's pages in NumPy, shares nothing with the library and
is not in this repository; the tests need neither it nor Python.

How:

    python3 make_reference_data.py REFERENCE_PY OUTPUT_FOLDER

REFERENCE_PY is that program, with its parts compute_reference.py and training_reference.py beside it; numpy is
required. The seeds are fixed: two runs give identical bytes.

Format: one JSON array per operator, one entry per line. Each entry has

    name      "random_017", or the name of an example (documented_examples.py)
    operator  the DML_OPERATOR_TYPE without its prefix
    fields    the fields of the operator's struct, in order. Tensors are {"DataType", "Sizes"} and
              packed; enumerators are names without prefix; FLOAT attributes are the exact value of
              the float32; Min and Max are {"Bytes": little-endian bytes in hexadecimal}. Optional
              fields that are null (OutputIndicesTensor, ScaleBias) are left out.
    data      for every tensor its packed elements, little-endian bytes in hexadecimal

A NaN that a sum produced is written as the canonical one (7FC00000, 7E00): its payload is not
specified. All other results are exact to the bit.
"""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import argparse
import importlib.util
import json
import pathlib
import random

import documented_examples
import random_descriptions
import sets
from reference_entries import ReferenceEntries

OPERATORS = ('activation_relu_grad', 'activation_relu', 'element_wise_clip_grad1', 'element_wise_clip1',
             'resample_grad1', 'resample_grad', 'resample2', 'slice_grad', 'slice1',
             'max_pooling_grad', 'max_pooling2', 'gemm', 'convolution')


def load_module(path):
    specification = importlib.util.spec_from_file_location('reference', path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def make_entries(entries, operator):
    """The documented examples, then the random descriptions; each operator has its own seed."""
    yield from getattr(documented_examples, operator)(entries)
    generator = random.Random('AnyDML ' + operator)
    yield from getattr(random_descriptions, operator)(entries, generator)


def write_json(path, entries):
    lines = [json.dumps(entry, separators=(',', ':'), allow_nan=False) for entry in entries]
    path.write_text('[\n' + ',\n'.join(lines) + '\n]\n', encoding='ascii')
    return len(lines)


def make_sets(entries, parts, operator):
    """Of sets.py, whose functions take the reference's other parts."""
    return getattr(sets, operator)(entries, *parts, random.Random('AnyDML ' + operator))


def main():
    parser = argparse.ArgumentParser(description='Writes the reference test data.')
    parser.add_argument('reference', type=pathlib.Path, help='the program that computes the results')
    parser.add_argument('folder', type=pathlib.Path, help='where the JSON files go')
    arguments = parser.parse_args()
    sys.path.insert(0, str(arguments.reference.parent))
    compute = load_module(arguments.reference.with_name('compute_reference.py'))
    entries = ReferenceEntries(load_module(arguments.reference), compute)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for operator in OPERATORS:
        path = arguments.folder / (operator + '.json')
        print('%-30s %4d entries' % (path.name, write_json(path, make_entries(entries, operator))))
    sys.path.insert(0, str(arguments.reference.parent))
    parts = [load_module(arguments.reference.with_name(name + '_reference.py')) for name in ('compute', 'training')]
    for operator in sets.OPERATORS:
        path = arguments.folder / (operator + '.json')
        print('%-30s %4d entries' % (path.name, write_json(path, make_sets(entries, parts, operator))))


if __name__ == '__main__':
    main()
