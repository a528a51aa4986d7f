// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Gradients for programs of the raw DirectML API: from a DML_GRAPH_DESC to one that also has
// gradients. For C++.

#ifndef ANYDML_DIRECTML_GRADIENT_H_
#define ANYDML_DIRECTML_GRADIENT_H_

#include <directml.h>

// A graph that owns its operators and the memory that its description points to.
struct DML_DECLARE_INTERFACE("535144b0-d92d-4123-998b-801726ab9abc") IAnyDMLGraph
    : public IUnknown {
  // For IDMLDevice1::CompileGraph; valid as long as this object lives.
  virtual const DML_GRAPH_DESC* STDMETHODCALLTYPE GetDesc() = 0;
};

// The graph `forward` with the gradients of one of its outputs, which has one element. Inputs keep
// their numbers and outputs theirs; behind these comes one output for each of the `count` graph
// inputs in `inputs`: the gradient of output `lossOutput` with respect to it, packed. A gradient
// has the sizes that the readers of the input give it: of the description that takes most bytes
// the sizes, with 1 where the stride is 0; of an input of which that leaves out or repeats elements
// that readers see, one size, up to the last element that is read. `forward` is not needed
// afterwards. Operators are created anew, so DML_OPERATOR_GRAPH_NODE_DESC::Name is lost.
STDAPI AnyDMLDifferentiateGraph(IDMLDevice1* device, const DML_GRAPH_DESC* forward, UINT lossOutput,
                                UINT count, _In_reads_(count) const UINT* inputs,
                                _COM_Outptr_ IAnyDMLGraph** graph);

// Like the identifiers of directml.h, attached by directml_guids.h, where that comes first.
#ifdef WINADAPTER_IID
WINADAPTER_IID(IAnyDMLGraph, 0x535144b0, 0xd92d, 0x4123, 0x99, 0x8b, 0x80, 0x17, 0x26, 0xab, 0x9a,
               0xbc)
#endif

#endif  // ANYDML_DIRECTML_GRADIENT_H_
