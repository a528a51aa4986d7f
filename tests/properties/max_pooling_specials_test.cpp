// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Strategies of MAX_POOLING_GRAD may look for the maximum without a thought of NaN and
// infinities until they meet one: wherever it lies, they must meet it. Every run
// compares the reference with all strategies.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "backends/cpu/instruction_set.h"
#include "backends/cpu/streaming.h"
#include "base/float16.h"
#include "support/pooling.h"
#include "support/run.h"

namespace anydml::test {
namespace {

using Values = std::vector<float>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <class Body>
void ForEachInstructionSet(const Body& body) {
  for (const cpu::InstructionSet& set : cpu::AvailableInstructionSets()) {
    const cpu::ScopedInstructionSet scope(set);
    body();
  }
}

// Small whole numbers, so that most windows have ties; every second zero is
// negative.
Values ManyTies(size_t count) {
  Values x(count);
  for (size_t i = 0; i < count; ++i) {
    const int pattern = Pattern(static_cast<int64_t>(i), 1009, 613) % 3;
    x[i] = pattern == 0 && i % 2 == 0 ? -0.0f : static_cast<float>(pattern);
  }
  return x;
}

// None, one, and all around the padding.
TEST(MaxPoolingGradSpecials, ChannelsSideBySideGiveTheReferencesBits) {
  constexpr UINT kChannels = 20, kHeight = 21, kWidth = 69;
  const Window windows[] = {
      {.size = {3, 3}, .start = {1, 1}, .end = {1, 1}},
      {.size = {3, 3}, .strides = {2, 2}, .start = {1, 1}, .end = {1, 1}},
      {.size = {2, 2}, .start = {1, 1}},
      {.size = {3, 3}, .start = {2, 2}, .end = {2, 2}, .dilations = {2, 2}},
      {.size = {5, 5}, .start = {2, 2}, .end = {2, 2}},
      {.size = {5, 5}, .start = {4, 4}, .end = {4, 4}, .dilations = {2, 2}},
  };
  for (const Window& window : windows) {
    const UINT height = (kHeight - 1) / window.strides[0] + 1;
    const UINT width = (kWidth - 1) / window.strides[1] + 1;
    const auto tensor = [](UINT rows, UINT columns) {
      return std::make_unique<Tensor>(
          DML_TENSOR_DATA_TYPE_FLOAT32, Uints{1, kChannels, rows, columns},
          Uints{rows * columns * kChannels, 1, columns * kChannels, kChannels});
    };
    const auto x_tensor = tensor(kHeight, kWidth), dy_tensor = tensor(height, width);
    const auto desc = MaxPoolingGrad(*x_tensor, *dy_tensor, *x_tensor, window);
    Values x = ManyTies(kChannels * kHeight * kWidth), dy(kChannels * height * width);
    for (size_t i = 0; i < dy.size(); ++i) dy[i] = 0.1f * static_cast<float>(i % 97);
    const auto run = [&] {
      Values dx;
      ForEachInstructionSet([&] {
        dx = RunOn<float>(DML_OPERATOR_MAX_POOLING_GRAD, &desc, {In(x), In(dy)}, x.size());
      });
      return dx;
    };
    const Values ordinary = run();
    const size_t middle = (13 * kWidth + 17) * kChannels + 3;  // long after the first row
    x[middle] = kNan;
    const Values with_nan = run();
    EXPECT_GT(with_nan[middle], ordinary[middle]);
    EXPECT_EQ(with_nan[middle + 1], ordinary[middle + 1]);
    std::fill(x.begin(), x.end(), -kInfinity);
    EXPECT_EQ(run().back(), 0);  // every window sees an equal element before it
  }
}

// Two planes of `height` rows with gaps of NaN between them, of which the first has
// special elements around one place. Some gradients are special too, and must stay
// where they belong.
class TwoPlanes {
 public:
  TwoPlanes(DML_TENSOR_DATA_TYPE type, const Window& window, UINT height, UINT width)
      : type_(type),
        window_(window),
        height_(height),
        width_(width),
        x_(type, {1, 2, height, width}, Strides(height, width)),
        dy_(type, {1, 2, Windows(0, height), Windows(1, width)},
            Strides(Windows(0, height), Windows(1, width))),
        desc_(MaxPoolingGrad(x_, dy_, x_, window_)),
        ties_(ManyTies(2 * height * (width + kGap))) {
    PutNansInGaps(width, ties_);
    const UINT windows = Windows(1, width);
    gradients_.resize(2 * Windows(0, height) * (windows + kGap));
    for (size_t i = 0; i < gradients_.size(); ++i) {
      const float ordinary = 0.1f * static_cast<float>(i % 89);
      gradients_[i] = i % 91 == 5 ? kInfinity : i % 97 == 7 ? kNan : ordinary;
    }
    PutNansInGaps(windows, gradients_);
  }

  void Run() const { RunWith(ties_); }

  void RunWithSpecials(float special, UINT row, UINT column, UINT around) const {
    Values x = ties_;
    for (UINT r = row - std::min(row, around); r <= std::min(row + around, height_ - 1); ++r) {
      for (UINT c = column - std::min(column, around); c <= std::min(column + around, width_ - 1);
           ++c) {
        x[r * (width_ + kGap) + c] = special;
      }
    }
    RunWith(x);
  }

 private:
  static constexpr UINT kGap = 3;

  static Uints Strides(UINT height, UINT width) {
    return {0, height * (width + kGap), width + kGap, 1};
  }
  UINT Windows(size_t axis, UINT size) const {
    const UINT reach = (window_.size[axis] - 1) * window_.dilations[axis];
    const UINT last = size + window_.start[axis] + window_.end[axis] - reach - 1;
    return last / window_.strides[axis] + 1;
  }
  static void PutNansInGaps(UINT width, Values& values) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (i % (width + kGap) >= width) values[i] = kNan;
    }
  }
  static std::vector<Float16> Halves(const Values& values) {
    std::vector<Float16> halves(values.size());
    std::ranges::transform(values, halves.begin(), ToFloat16);
    return halves;
  }
  void RunWith(const Values& x) const {
    if (type_ == DML_TENSOR_DATA_TYPE_FLOAT32) {
      RunOn<float>(DML_OPERATOR_MAX_POOLING_GRAD, &desc_, {In(x), In(gradients_)}, x.size());
    } else {
      RunOn<Float16>(DML_OPERATOR_MAX_POOLING_GRAD, &desc_, {In(Halves(x)), In(Halves(gradients_))},
                     x.size());
    }
  }

  const DML_TENSOR_DATA_TYPE type_;
  const Window window_;
  const UINT height_, width_;
  const Tensor x_, dy_;
  const DML_MAX_POOLING_GRAD_OPERATOR_DESC desc_;
  Values ties_, gradients_;
};

constexpr UINT kVisitedRows = 20;

void VisitColumns(const TwoPlanes& planes, UINT width, UINT step) {
  ForEachInstructionSet([&] {
    planes.Run();
    for (UINT column = 0; column < width; column += step) {
      planes.RunWithSpecials(kNan, column * 7 % kVisitedRows, column, 0);
    }
    // Windows at stride 2 over the middle, where one tile ends and the other sees no more
    // than a column of it.
    for (UINT row = 0; row < kVisitedRows && width > 100; row += 3) {
      planes.RunWithSpecials(kNan, row, width / 2, 0);
    }
    for (UINT column = 0; column < width; column += 19) {
      planes.RunWithSpecials(-kInfinity, column * 7 % kVisitedRows, column, 4);
      planes.RunWithSpecials(kInfinity, column * 3 % kVisitedRows, column, 0);
    }
  });
}

// Rows of several tiles, rows narrower than the window's reach, tiles and vectors that
// are just full. A NaN visits every column of the widest rows under the first window and
// every thirteenth of others, other special elements some, in rows of every band; minus
// infinity comes as a whole neighbourhood, or it would win nothing.
TEST(MaxPoolingGradSpecials, ColumnsSideBySideGiveTheReferencesBits) {
  const Window windows[] = {
      {.size = {3, 3}, .start = {1, 1}, .end = {1, 1}},
      {.size = {3, 3}, .start = {0, 1}, .end = {2, 0}},
      {.size = {3, 3}, .start = {2, 2}, .end = {2, 2}, .dilations = {2, 2}},
      {.size = {5, 5}, .start = {2, 2}, .end = {2, 2}},
      {.size = {5, 5}, .start = {8, 8}, .end = {8, 8}, .dilations = {4, 4}},
      {.size = {3, 3}, .strides = {2, 2}, .start = {1, 1}, .end = {1, 1}},
      {.size = {3, 3}, .strides = {2, 2}, .end = {2, 2}},
      {.size = {3, 3}, .strides = {2, 2}},
  };
  for (const Window& window : windows) {
    // The tiles of windows at stride 2 have as many windows, but twice the columns.
    const bool is_dense = window.strides[1] == 1;
    const UINT wide = is_dense ? 100 : window.start[1] == 1 ? 131 : 188;
    const UINT full = is_dense ? 62 : 126;
    const UINT narrow = window.start[1] + window.end[1] == 0 ? 3 : 2;  // or there is no window
    for (const UINT width : {narrow, 7u, 48u, full, 64u, wide}) {
      const UINT step = width == 100 && &window == windows ? 1 : 13;
      VisitColumns(TwoPlanes(DML_TENSOR_DATA_TYPE_FLOAT32, window, kVisitedRows, width), width,
                   step);
      ASSERT_FALSE(HasFailure()) << "width " << width;
    }
    VisitColumns(TwoPlanes(DML_TENSOR_DATA_TYPE_FLOAT16, window, kVisitedRows, wide), wide, 9);
    ASSERT_FALSE(HasFailure()) << "FLOAT16, width " << wide;
  }
}

// Lines stored before the walk began again are stored once more.
TEST(MaxPoolingGradSpecials, WalksBeginAgainPastTheCaches) {
  constexpr UINT kHeight = 40, kWidth = 64;
  const Tensor tensor(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, kHeight, kWidth});
  const cpu::ScopedStreaming everything(0);
  for (const UINT stride : {1u, 2u}) {
    const Window window = {
        .size = {3, 3}, .strides = {stride, stride}, .start = {1, 1}, .end = {1, 1}};
    const Tensor windows(DML_TENSOR_DATA_TYPE_FLOAT32, {1, 1, kHeight / stride, kWidth / stride});
    const auto desc = MaxPoolingGrad(tensor, windows, tensor, window);
    Values x = ManyTies(kHeight * kWidth);
    x[(kHeight - 2) * kWidth + 5] = kNan;
    const Values dy(x.size() / (stride * stride), 0.3f);
    ForEachInstructionSet([&] {
      RunOn<float>(DML_OPERATOR_MAX_POOLING_GRAD, &desc, {In(x), In(dy)}, x.size());
    });
  }
}

}  // namespace
}  // namespace anydml::test
