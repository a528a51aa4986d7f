// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Named shapes of GEMM and CONVOLUTION. TransA and TransB 1 are TRANSPOSE, Mode 0 is CONVOLUTION,
// Direction 1 is BACKWARD.
#pragma once

#include <directml.h>

#include "operators/case_builders.h"

namespace anydml::matmul {

constexpr AxesCase Gemm(std::string_view name, const CaseSizes& a, const CaseSizes& b,
                        const CaseSizes& c, const CaseSizes& output) {
  return AxesCase(name, {a, b, c, output}, 0);
}
inline constexpr Case kGemmCases[] = {
    Gemm("documented_example", {2, 2}, {2, 2}, {2, 2}, {2, 2}).Set("Alpha", {2}).Set("Beta", {3}),
    Gemm("one_product", {1, 1}, {1, 1}, {}, {1, 1}),
    Gemm("rows_and_columns_behind_panels", {13, 5}, {5, 67}, {}, {13, 67}),
    Gemm("chain_ends_with_the_depth", {3, 512}, {512, 5}, {}, {3, 5}),
    Gemm("term_behind_a_chain", {9, 513}, {513, 18}, {}, {9, 18}),
    Gemm("several_chains", {7, 1300}, {1300, 21}, {7, 21}, {7, 21})
        .Set("Alpha", {0.3})
        .Set("Beta", {-0.7}),
    Gemm("transposed", {20, 11}, {37, 20}, {11, 37}, {11, 37})
        .Set("TransA", {1})
        .Set("TransB", {1}),
    Gemm("a_transposed", {530, 9}, {530, 19}, {}, {9, 19}).Set("TransA", {1}),
    Gemm("b_transposed", {9, 33}, {19, 33}, {}, {9, 19}).Set("TransB", {1}),
    Gemm("batches", {2, 3, 5, 7}, {2, 3, 7, 9}, {2, 3, 5, 9}, {2, 3, 5, 9}).Set("Alpha", {-1}),
    Gemm("batches_of_three_dimensions", {4, 3, 20}, {4, 20, 17}, {}, {4, 3, 17}),
    Gemm("vector_times_matrix", {1, 70}, {70, 50}, {}, {1, 50}),
    Gemm("matrix_times_vector", {50, 70}, {70, 1}, {}, {50, 1}),
    Gemm("few_rows_before_the_end_of_a_chain", {1, 511}, {70, 511}, {}, {1, 70}).Set("TransB", {1}),
    Gemm("few_rows_of_two_chains", {8, 1024}, {1024, 53}, {8, 53}, {8, 53}).Set("Beta", {0.5}),
    Gemm("few_columns_behind_a_chain", {67, 513}, {513, 3}, {}, {67, 3}),
    Gemm("one_chain_of_many_rows", {29, 512}, {512, 131}, {}, {29, 131}),
    Gemm("relu", {6, 7}, {7, 5}, {}, {6, 5}).Set("FusedActivation", {DML_OPERATOR_ACTIVATION_RELU}),
    Gemm("softmax", {6, 7}, {7, 45}, {}, {6, 45})
        .Set("FusedActivation", {DML_OPERATOR_ACTIVATION_SOFTMAX}),
    Gemm("several_tiles_of_rows", {400, 3}, {3, 60}, {}, {400, 60}),
    Gemm("several_tiles_of_columns", {5, 3}, {3, 1210}, {}, {5, 1210}),
};

constexpr AxesCase Integers(std::string_view name, const CaseSizes& a, const CaseSizes& a_zero,
                            const CaseSizes& b, const CaseSizes& b_zero, const CaseSizes& output) {
  return AxesCase(name, {a, a_zero, b, b_zero, output}, 0);
}
inline constexpr Case kIntegerCases[] = {
    Integers("one_product", {1, 1}, {}, {1, 1}, {}, {1, 1}),
    Integers("zero_points", {5, 7}, {1}, {7, 9}, {1}, {5, 9}),
    Integers("a_zero_point_per_row_and_column", {1, 1, 9, 33}, {1, 1, 9, 1}, {1, 1, 33, 19},
             {1, 1, 1, 19}, {1, 1, 9, 19}),
    Integers("batches", {2, 3, 5, 8}, {1, 1}, {2, 3, 8, 6}, {6}, {2, 3, 5, 6}),
    Integers("several_tiles", {130, 600}, {130, 1}, {600, 67}, {1, 67}, {130, 67}),
};
inline constexpr BenchCase kIntegerBenchCases[] = {
    {.shape = Integers("1024x1024x1024", {1024, 1024}, {1}, {1024, 1024}, {1}, {1024, 1024}),
     .every_type = true,
     .tensors_of_items = 0b10001}};

constexpr AxesCase Convolve(std::string_view name, const CaseSizes& input, const CaseSizes& filter,
                            const CaseSizes& bias, const CaseSizes& output) {
  return AxesCase(name, {input, filter, bias, output}, input.count - 2);
}
constexpr AxesCase Backward(std::string_view name, const CaseSizes& input, const CaseSizes& filter,
                            const CaseSizes& bias, const CaseSizes& output) {
  return Convolve(name, input, filter, bias, output).Set("Direction", {1});
}
inline constexpr Case kConvolutionCases[] = {
    Convolve("documented_example", {1, 1, 3, 3}, {1, 1, 2, 2}, {}, {1, 1, 2, 2}),
    Convolve("flipped_filter", {1, 2, 5, 4}, {3, 2, 2, 3}, {}, {1, 3, 4, 2}).Set("Mode", {0}),
    Convolve("image_with_border", {2, 3, 9, 14}, {9, 3, 3, 3}, {1, 9, 1, 1}, {2, 9, 9, 14}).Pad(1),
    Convolve("half_as_large", {2, 5, 13, 38}, {7, 5, 3, 3}, {}, {2, 7, 7, 19}).Stride(2).Pad(1),
    Convolve("seven_wide", {1, 3, 20, 21}, {8, 3, 7, 7}, {}, {1, 8, 10, 11}).Stride(2).Pad(3),
    Convolve("strides_of_three", {1, 2, 10, 30}, {3, 2, 2, 2}, {}, {1, 3, 3, 10}).Stride(3),
    Convolve("one_pixel_window", {2, 33, 5, 7}, {17, 33, 1, 1}, {1, 17, 1, 1}, {2, 17, 5, 7}),
    Convolve("groups_strides_dilations", {2, 4, 9, 8}, {6, 2, 3, 2}, {1, 6, 1, 1}, {2, 6, 5, 8})
        .Stride(2, 1)
        .Dilate(2, 1)
        .Start(2, 0)
        .End(2, 1)
        .Set("GroupCount", {2}),
    Convolve("depth_wise", {1, 5, 6, 20}, {5, 1, 3, 3}, {1, 5, 1, 1}, {1, 5, 6, 20})
        .Pad(1)
        .Set("GroupCount", {5}),
    Convolve("depth_wise_half_as_large", {2, 3, 7, 41}, {3, 1, 3, 3}, {}, {2, 3, 4, 21})
        .Stride(2)
        .Pad(1)
        .Set("GroupCount", {3}),
    Backward("depth_wise_backward", {1, 3, 5, 34}, {3, 1, 3, 3}, {1, 3, 1, 1}, {1, 3, 5, 34})
        .Pad(1)
        .Set("GroupCount", {3}),
    Convolve("chain_ends_within_a_channel", {1, 60, 5, 5}, {2, 60, 3, 3}, {}, {1, 2, 5, 5}).Pad(1),
    Convolve("relu_and_bias", {1, 2, 4, 5}, {3, 2, 2, 2}, {1, 3, 1, 1}, {1, 3, 3, 4})
        .Set("FusedActivation", {DML_OPERATOR_ACTIVATION_RELU}),
    Convolve("one_axis", {2, 3, 40}, {4, 3, 5}, {}, {2, 4, 36}),
    Convolve("volume", {1, 2, 4, 5, 6}, {3, 2, 2, 3, 2}, {1, 3, 1, 1, 1}, {1, 3, 3, 3, 5}),
    Convolve("output_padding_forward", {1, 2, 5, 5}, {2, 2, 2, 2}, {1, 2, 1, 1}, {1, 2, 5, 6})
        .Set("OutputPadding", {1, 2}),
    Backward("backward", {2, 6, 5, 8}, {6, 2, 3, 2}, {1, 4, 1, 1}, {2, 4, 9, 8})
        .Stride(2, 1)
        .Dilate(2, 1)
        .Start(2, 0)
        .End(2, 1)
        .Set("GroupCount", {2}),
    Backward("backward_of_stride_2", {1, 9, 7, 10}, {9, 5, 3, 3}, {}, {1, 5, 14, 20})
        .Stride(2)
        .Pad(1),
    Backward("backward_with_holes", {1, 3, 4, 3}, {3, 2, 1, 2}, {1, 2, 1, 1}, {1, 2, 12, 16})
        .Stride(3, 5)
        .Set("OutputPadding", {2, 1}),
    Backward("backward_flipped", {1, 2, 4, 4}, {2, 3, 3, 3}, {}, {1, 3, 9, 9})
        .Stride(2)
        .Set("Mode", {0}),
    Backward("backward_dilated", {1, 2, 5, 5}, {2, 3, 3, 3}, {}, {1, 3, 21, 17})
        .Stride(4, 3)
        .Dilate(2),
    Backward("many_classes", {1, 1, 3, 3}, {1, 1, 2, 2}, {}, {1, 1, 20, 20}).Stride(9),
    Backward("backward_of_separate_windows", {2, 6, 4, 5}, {6, 4, 2, 3}, {1, 8, 1, 1},
             {2, 8, 8, 15})
        .Stride(2, 3)
        .Set("Mode", {0})
        .Set("GroupCount", {2}),
    Backward("depth_wise_backward_of_stride_2", {1, 20, 4, 5}, {20, 1, 3, 3}, {1, 20, 1, 1},
             {1, 20, 8, 10})
        .Stride(2)
        .Pad(1)
        .Set("GroupCount", {20}),
    Convolve("depth_wise_weight_gradient", {1, 20, 2, 16, 17}, {20, 1, 2, 16, 17}, {},
             {1, 20, 1, 3, 3})
        .Set("StartPadding", {0, 1, 1})
        .Set("EndPadding", {0, 1, 1})
        .Set("GroupCount", {20}),
    // A weight gradient: channels and items exchanged, strides given as dilations.
    Convolve("window_as_large_as_the_image", {3, 4, 9, 20}, {5, 4, 9, 20}, {}, {3, 5, 3, 3}).Pad(1),
    Convolve("large_dilated_window", {3, 2, 12, 37}, {5, 2, 6, 19}, {}, {3, 5, 3, 3})
        .Dilate(2)
        .Pad(1),
};

// Multiplications and additions are many, bytes few. A, or Input, and Output have items; B and
// Filter have none.
constexpr BenchCase Timed(const Case& shape, bool core = false) {
  const bool images = shape.sizes[0].count == 4;
  return {.shape = shape,
          .layouts = images ? BenchLayout::kPacked | BenchLayout::kChannelsLast : kPackedOnly,
          .core = core,
          .independent_items = true,
          .tensors_of_items = 0b1001};
}
// What fills a card, and is too much work for a CPU; not enlarged.
constexpr BenchCase ForCards(const Case& shape) { return {.shape = shape, .tensors_of_items = 0}; }
constexpr BenchCase SquaresForCards(std::string_view name, uint32_t n,
                                    const CaseSetting& setting = {}) {
  return ForCards({name, {{{n, n}, {n, n}, {}, {n, n}}}, {{setting}}});
}
inline constexpr BenchCase kGemmBenchCases[] = {
    Timed(Gemm("512x512x512", {512, 512}, {512, 512}, {}, {512, 512}), true),
    Timed(Gemm("1024x1024x1024", {1024, 1024}, {1024, 1024}, {}, {1024, 1024}), true),
    Timed(Gemm("2048x2048x2048", {2048, 2048}, {2048, 2048}, {}, {2048, 2048}), true),
    // A layer without a batch, and with a small one; the matrix is read once.
    Timed(Gemm("1x2048x2048", {1, 2048}, {2048, 2048}, {}, {1, 2048}), true),
    Timed(Gemm("2048x2048x1", {2048, 2048}, {2048, 1}, {}, {2048, 1})),
    Timed(
        Gemm("b_transposed_1x2048x2048", {1, 2048}, {2048, 2048}, {}, {1, 2048}).Set("TransB", {1}),
        true),
    Timed(Gemm("8x2048x2048", {8, 2048}, {2048, 2048}, {}, {8, 2048})),
    Timed(
        Gemm("b_transposed_8x2048x2048", {8, 2048}, {2048, 2048}, {}, {8, 2048}).Set("TransB", {1}),
        true),
    Timed(Gemm("2048x2048x8", {2048, 2048}, {2048, 8}, {}, {2048, 8})),
    Timed(Gemm("b_transposed_8x512x1000", {8, 512}, {1000, 512}, {}, {8, 1000}).Set("TransB", {1})),
    SquaresForCards("4096x4096x4096", 4096),
    SquaresForCards("a_transposed_4096x4096x4096", 4096, {"TransA", {1}}),
    SquaresForCards("b_transposed_4096x4096x4096", 4096, {"TransB", {1}}),
    SquaresForCards("8192x8192x8192", 8192),
};

inline constexpr BenchCase kConvolutionBenchCases[] = {
    Timed(Convolve("3x3_8x64x56x56", {8, 64, 56, 56}, {64, 64, 3, 3}, {}, {8, 64, 56, 56}).Pad(1),
          true),
    Timed(Convolve("3x3_8x128x28x28", {8, 128, 28, 28}, {128, 128, 3, 3}, {}, {8, 128, 28, 28})
              .Pad(1),
          true),
    Timed(Convolve("3x3_8x256x14x14", {8, 256, 14, 14}, {256, 256, 3, 3}, {}, {8, 256, 14, 14})
              .Pad(1),
          true),
    Timed(Convolve("3x3_8x512x7x7", {8, 512, 7, 7}, {512, 512, 3, 3}, {}, {8, 512, 7, 7}).Pad(1),
          true),
    Timed(
        Convolve("3x3_stride_2_8x64x56x56", {8, 64, 56, 56}, {128, 64, 3, 3}, {}, {8, 128, 28, 28})
            .Stride(2)
            .Pad(1),
        true),
    Timed(
        Convolve("1x1_stride_2_8x64x56x56", {8, 64, 56, 56}, {128, 64, 1, 1}, {}, {8, 128, 28, 28})
            .Stride(2),
        true),
    Timed(Convolve("1x1_8x64x56x56", {8, 64, 56, 56}, {256, 64, 1, 1}, {}, {8, 256, 56, 56})),
    Timed(
        Convolve("7x7_stride_2_8x3x224x224", {8, 3, 224, 224}, {64, 3, 7, 7}, {}, {8, 64, 112, 112})
            .Stride(2)
            .Pad(3),
        true),
    Timed(Backward("data_gradient_3x3_8x64x56x56", {8, 64, 56, 56}, {64, 64, 3, 3}, {},
                   {8, 64, 56, 56})
              .Pad(1),
          true),
    Timed(Backward("data_gradient_3x3_stride_2_8x128x28x28", {8, 128, 28, 28}, {128, 64, 3, 3}, {},
                   {8, 64, 56, 56})
              .Stride(2)
              .Pad(1),
          true),
    Timed(Convolve("depth_wise_3x3_8x64x56x56", {8, 64, 56, 56}, {64, 1, 3, 3}, {}, {8, 64, 56, 56})
              .Pad(1)
              .Set("GroupCount", {64}),
          true),
    // On packed tensors; a trainer gives views with items and channels exchanged.
    Timed(Convolve("weight_gradient_3x3_64x8x56x56", {64, 8, 56, 56}, {64, 8, 56, 56}, {},
                   {64, 64, 3, 3})
              .Pad(1)),
    Timed(Convolve("weight_gradient_3x3_stride_2_64x8x56x56", {64, 8, 56, 56}, {128, 8, 28, 28}, {},
                   {64, 128, 3, 3})
              .Dilate(2)
              .Pad(1)),
    // The same of 32 items.
    ForCards(Convolve("weight_gradient_3x3_64x32x56x56", {64, 32, 56, 56}, {64, 32, 56, 56}, {},
                      {64, 64, 3, 3})
                 .Pad(1)),
    ForCards(Convolve("weight_gradient_3x3_256x32x14x14", {256, 32, 14, 14}, {256, 32, 14, 14}, {},
                      {256, 256, 3, 3})
                 .Pad(1)),
    ForCards(Convolve("weight_gradient_3x3_512x32x7x7", {512, 32, 7, 7}, {512, 32, 7, 7}, {},
                      {512, 512, 3, 3})
                 .Pad(1)),
    ForCards(Convolve("weight_gradient_3x3_stride_2_64x32x56x56", {64, 32, 56, 56},
                      {128, 32, 28, 28}, {}, {64, 128, 3, 3})
                 .Dilate(2)
                 .Pad(1)),
    ForCards(Convolve("weight_gradient_1x1_64x32x56x56", {64, 32, 56, 56}, {256, 32, 56, 56}, {},
                      {64, 256, 1, 1})),
};

}  // namespace anydml::matmul
