// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "model/npy.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace anydml::model {
namespace {

std::span<const uint8_t> Bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// A file with this header and `data` bytes of data.
std::string File(std::string_view header, size_t data, char major = 1) {
  std::string file = "\x93NUMPY";
  file += major;
  file += '\0';
  for (size_t i = 0; i < (major == 1 ? 2 : 4); ++i) {
    file += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  }
  return file + std::string(header) + std::string(data, '\0');
}

std::string Dictionary(std::string_view descr, std::string_view shape,
                       std::string_view order = "False") {
  return fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}\n", descr, order, shape);
}

std::string Refusal(const std::string& file) {
  const Result<NpyArray> array = ReadNpy(Bytes(file));
  return array.ok() ? "" : array.error().message;
}

struct TypeRow {
  DataType data_type;
  std::string_view descr;
};
constexpr TypeRow kTypes[] = {
    {DataType::kFloat32, "<f4"}, {DataType::kFloat16, "<f2"}, {DataType::kFloat64, "<f8"},
    {DataType::kUint8, "|u1"},   {DataType::kUint16, "<u2"},  {DataType::kUint32, "<u4"},
    {DataType::kUint64, "<u8"},  {DataType::kInt8, "|i1"},    {DataType::kInt16, "<i2"},
    {DataType::kInt32, "<i4"},   {DataType::kInt64, "<i8"}};

TEST(Npy, ReadsElevenTypesInThreeVersions) {
  for (const TypeRow& type : kTypes) {
    for (char version : {1, 2, 3}) {
      const std::string file = File(Dictionary(fmt::format("'{}'", type.descr), "(2, 3)"),
                                    6 * ElementSize(type.data_type), version);
      const Result<NpyArray> array = ReadNpy(Bytes(file));
      ASSERT_TRUE(array.ok()) << array.error().message;
      EXPECT_EQ(array.value().data_type, type.data_type);
      EXPECT_EQ(array.value().shape, (std::vector<uint64_t>{2, 3}));
      EXPECT_EQ(array.value().data.data() + array.value().data.size(), Bytes(file).end().base());
    }
  }
}

TEST(Npy, ReadsEveryShape) {
  EXPECT_EQ(Refusal(File(Dictionary("'<f4'", "()"), 4)), "");
  EXPECT_EQ(Refusal(File(Dictionary("'<f4'", "(3,)"), 12)), "");
  EXPECT_EQ(Refusal(File(Dictionary("'<f4'", "(3L, 2L)"), 24)), "");
  EXPECT_EQ(Refusal(File("{\"shape\":(1,),\"fortran_order\":False,\"descr\":\"<f4\"}", 4)), "");
}

// No elements, and so no bytes, wherever the 0 stands and whatever stands beside it.
TEST(Npy, ReadsEmptyArrays) {
  for (std::string_view shape :
       {"(0,)", "(0, 3)", "(3, 0)", "(4611686018427387904, 0)", "(0, 4611686018427387904)",
        "(18446744073709551615, 18446744073709551615, 0)"}) {
    EXPECT_EQ(Refusal(File(Dictionary("'<f4'", shape), 0)), "") << shape;
  }
}

TEST(Npy, RefusesOtherTypesAndOrders) {
  EXPECT_EQ(Refusal(File(Dictionary("'>f4'", "(1,)"), 4)),
            "has big-endian elements ('>f4') and must have little-endian ones");
  for (std::string_view descr : {"|b1", "|O", "<c8", "<U3", "<f1", "<i3", "", "<f44"}) {
    EXPECT_EQ(Refusal(File(Dictionary(fmt::format("'{}'", descr), "(1,)"), 4)),
              fmt::format("has elements of the type '{}' and must have integers or floats of a "
                          "tensor data type",
                          descr));
  }
  EXPECT_EQ(Refusal(File(Dictionary("[('a', '<f4'), ('b', [('c', '<i2')])]", "(1,)"), 6)),
            "has elements of the type '[('a', '<f4'), ('b', [('c', '<i2')])]' and must have "
            "integers or floats of a tensor data type");
  EXPECT_EQ(Refusal(File(Dictionary("'<f4'", "(2, 2)", "True"), 16)),
            "is in Fortran order and must be in C order");
}

TEST(Npy, RefusesTruncatedFiles) {
  const std::string whole = File(Dictionary("'<f4'", "(2,)"), 8);
  EXPECT_EQ(Refusal(whole), "");
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(Refusal(whole.substr(0, size)), "") << size;
  }
  EXPECT_EQ(Refusal(whole.substr(0, 5)), "is no NumPy file: it must begin with \\x93NUMPY");
  EXPECT_EQ(Refusal(whole.substr(0, 7)), "is truncated: it ends inside its header");
  EXPECT_EQ(Refusal(whole.substr(0, 9)), "is truncated: it ends inside its header");
  EXPECT_EQ(Refusal(whole.substr(0, 40)), "is truncated: it ends inside its header");
  EXPECT_EQ(Refusal(whole.substr(0, whole.size() - 1)),
            "has 7 bytes of data, and its header's shape and type need 8");
}

TEST(Npy, RefusesHeadersThatLie) {
  EXPECT_EQ(Refusal(File(Dictionary("'<f4'", "(2,)"), 12)),
            "has 12 bytes of data, and its header's shape and type need 8");
  EXPECT_EQ(Refusal(File(Dictionary("'<f8'", "(4294967296, 4294967296)"), 0)),
            "has 0 bytes of data, and its header's shape and type need 2^64 or more");
  EXPECT_EQ(Refusal(File(Dictionary("'<f4'", "(4611686018427387904,)"), 4)),
            "has 4 bytes of data, and its header's shape and type need 2^64 or more");
  for (std::string_view shape : {"(4611686018427387904, 0)", "(0, 4611686018427387904)"}) {
    EXPECT_EQ(Refusal(File(Dictionary("'<f4'", shape), 4)),
              "has 4 bytes of data, and its header's shape and type need 0");
  }
  EXPECT_EQ(Refusal("\x93NUMPY\x02" + std::string("\0\xFF\xFF\xFF\xFF{}", 7)),
            "is truncated: it ends inside its header");
  EXPECT_EQ(Refusal(File("{}", 0, 4)), "has the format version 4.0 and must have 1.0, 2.0 or 3.0");
}

TEST(Npy, RefusesHeadersThatAreNoDictionary) {
  for (std::string_view header :
       {"", "{", "{}", "[]", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,",
        "{'descr': [[['<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr: '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x"}) {
    EXPECT_EQ(Refusal(File(header, 4)),
              "has a header that does not give descr, fortran_order and shape")
        << header;
  }
}

// The bytes of numpy.save(numpy.zeros(6, numpy.float32)), data left out.
TEST(Npy, WritesTheHeaderThatNumPyWrites) {
  std::string expected("\x93NUMPY\x01\0v\0", 10);
  expected += "{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }";
  expected += std::string(127 - expected.size(), ' ') + '\n';
  const uint64_t shape[] = {6};
  EXPECT_EQ(NpyHeader(DataType::kFloat32, shape), expected);
}

TEST(Npy, ReadsWhatItWrites) {
  const uint64_t shapes[][3] = {{1, 1, 1}, {2, 3, 4}, {4294967295, 1, 0}};
  for (const TypeRow& type : kTypes) {
    for (const auto& shape : shapes) {
      const std::string header = NpyHeader(type.data_type, shape);
      EXPECT_EQ(header.size() % 64, 0u);
      const size_t count = shape[0] * shape[1] * shape[2];
      const std::string file = header + std::string(count * ElementSize(type.data_type), 'x');
      const Result<NpyArray> array = ReadNpy(Bytes(file));
      ASSERT_TRUE(array.ok()) << array.error().message;
      EXPECT_EQ(array.value().data_type, type.data_type);
      EXPECT_EQ(array.value().shape, (std::vector<uint64_t>{shape[0], shape[1], shape[2]}));
    }
  }
  EXPECT_EQ(Refusal(NpyHeader(DataType::kInt8, {}) + "x"), "");
}

}  // namespace
}  // namespace anydml::model
