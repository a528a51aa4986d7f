// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A DML_OPERATOR_DESC that may be wrong in any way that a program can write down:
// starts from a valid one and is changed piece by piece. Every array is exactly as
// long as the struct says, so that reading more of it is a fault.
#pragma once

#include <directml.h>

#include <deque>
#include <memory>
#include <vector>

#include "fuzz/bytes.h"
#include "schema/arguments.h"

namespace anydml::test {

class RawDescription {
 public:
  explicit RawDescription(const schema::Arguments& valid);
  RawDescription(const RawDescription&) = delete;
  RawDescription& operator=(const RawDescription&) = delete;

  // One change.
  void Break(Bytes& bytes);
  // Total sizes that suit the tensors as they are now, where there are such.
  void MendTotalSizes();

  // Whether an output's pointer is null, which the C interface allows.
  bool leaves_out_output() const;

  // Call once, after all changes.
  const DML_OPERATOR_DESC* Build();

 private:
  struct RawTensor {
    bool null = false;
    bool desc_null = false;
    bool sizes_null = false;
    bool strides_null = false;
    uint32_t type = 1;  // DML_TENSOR_TYPE_BUFFER
    uint32_t data_type = 0;
    uint32_t flags = 0;
    uint32_t count = 0;
    Dimensions sizes = {};
    Dimensions strides = {};
    uint64_t total_bytes = 0;
    uint32_t alignment = 0;
  };
  struct RawField {
    std::vector<RawTensor> tensors;  // one, or those of an array
    bool null = false;               // of an array, a scale and bias or a fused operator
    Dimensions words = {};
    std::shared_ptr<RawDescription> fused;  // shared, so that fields can be copied
  };

  static RawTensor Raw(const TensorDesc& tensor);
  void BreakTensor(RawTensor& tensor, uint32_t kind, Bytes bytes);
  void BreakAttribute(const schema::Field& field, RawField& raw, Bytes& bytes);
  void BreakOperator(Bytes& bytes);
  void Put(size_t offset, const void* from, size_t size);
  DML_TENSOR_DESC MakeTensor(const RawTensor& raw);
  void PutTensors(const schema::Field& field, const RawField& raw);
  void PutAttribute(const schema::Field& field, const RawField& raw);
  const uint32_t* Keep(const Dimensions& words, uint32_t count);

  const schema::OperatorSchema& schema_;
  std::vector<RawField> fields_;
  uint32_t type_;
  bool desc_null_ = false;

  std::vector<uint64_t> struct_;  // aligned as the struct is
  std::deque<std::vector<uint32_t>> arrays_;
  std::deque<DML_BUFFER_TENSOR_DESC> buffers_;
  std::deque<std::vector<DML_TENSOR_DESC>> tensors_;
  DML_OPERATOR_DESC desc_ = {};
};

}  // namespace anydml::test
