// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "kernels/move/cpu/row_movers.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/move/cpu/row_movers.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/move/cpu/runs-inl.h"
#include "tensor/data_type.h"

#ifndef ANYDML_KERNELS_MOVE_CPU_ROW_MOVERS_ONCE_
#define ANYDML_KERNELS_MOVE_CPU_ROW_MOVERS_ONCE_
namespace anydml::cpu {
namespace {

// `to` has zeros between the elements already, where there are any.
inline void MoveElements(const RowShape& shape, const std::byte* from, std::byte* to,
                         uint64_t count) {
  DispatchWidth(shape.element_size, [&]<typename T>() {
    const int64_t stride = shape.stride;
    const uint64_t step = shape.step;
    for (uint64_t i = 0; i < count; ++i, from += stride, to += step) {
      std::memcpy(to, from, sizeof(T));
    }
  });
}

}  // namespace
}  // namespace anydml::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace anydml::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::ScalableTag<uint8_t>;

HWY_INLINE const uint8_t* AsBytes(const std::byte* at) {
  return reinterpret_cast<const uint8_t*>(at);
}
HWY_INLINE uint8_t* AsBytes(std::byte* at) { return reinterpret_cast<uint8_t*>(at); }

// Two stores of kBytes that may overlap: sizes from kBytes to twice as many.
template <size_t kBytes>
HWY_INLINE void CopyTwice(std::byte* to, const std::byte* from, uint64_t bytes) {
  std::byte first[kBytes], last[kBytes];
  std::memcpy(first, from, kBytes);
  std::memcpy(last, from + bytes - kBytes, kBytes);
  std::memcpy(to, first, kBytes);
  std::memcpy(to + bytes - kBytes, last, kBytes);
}

// The stores in the middle are aligned; the first and the last vector overlap
// their neighbours instead of leaving single bytes.
HWY_INLINE void CopyBytes(std::byte* to, const std::byte* from, uint64_t bytes) {
  const Bytes d;
  const size_t N = hn::Lanes(d);
  if (bytes >= N) {
    hn::StoreU(hn::LoadU(d, AsBytes(from)), d, AsBytes(to));
    uint64_t i = N - reinterpret_cast<uintptr_t>(to) % N;
    for (; i + N <= bytes; i += N) {
      hn::StoreU(hn::LoadU(d, AsBytes(from + i)), d, AsBytes(to + i));
    }
    if (i < bytes) {
      hn::StoreU(hn::LoadU(d, AsBytes(from + bytes - N)), d, AsBytes(to + bytes - N));
    }
  } else if (bytes >= 32) {
    CopyTwice<32>(to, from, bytes);
  } else if (bytes >= 16) {
    CopyTwice<16>(to, from, bytes);
  } else if (bytes >= 8) {
    CopyTwice<8>(to, from, bytes);
  } else if (bytes >= 4) {
    CopyTwice<4>(to, from, bytes);
  } else {
    for (uint64_t i = 0; i < bytes; ++i) to[i] = from[i];
  }
}

HWY_INLINE void ZeroBytes(std::byte* to, uint64_t bytes) {
  const Bytes d;
  const size_t N = hn::Lanes(d);
  if (bytes >= N && bytes < 2048) {  // where the start of memset no longer counts
    for (uint64_t i = 0; i + N < bytes; i += N) hn::StoreU(hn::Zero(d), d, AsBytes(to + i));
    hn::StoreU(hn::Zero(d), d, AsBytes(to + bytes - N));
  } else if (bytes != 0) {
    std::memset(to, 0, bytes);
  }
}

void MovePackedRows(const RowShape& shape, const RowGroup& group) {
  const uint64_t bytes = group.count * shape.element_size;
  const std::byte* from = group.from;
  std::byte* to = group.to;
  uint64_t zeros = group.zeros_before;
  for (uint64_t r = 0; r < group.rows; ++r, from += group.from_distance) {
    ZeroBytes(to, zeros);
    CopyBytes(to + zeros, from, bytes);
    to += zeros + bytes;
    zeros = group.zeros_between;
  }
}

#if HWY_TARGET != HWY_SCALAR

using Block = hn::Full128<uint8_t>;

// 0: the shape says how many.
template <uint32_t kLoads, uint32_t kStores>
class BlockMover {
 public:
  HWY_INLINE explicit BlockMover(const RowShape& shape) : shape_(shape) {
    for (uint32_t i = 0; i < kLoads; ++i) loads_[i] = hn::Load(d, shape.load_masks[i]);
    for (uint32_t i = 0; i < kStores; ++i) stores_[i] = hn::Load(d, shape.store_masks[i]);
  }

  HWY_INLINE void Move(const std::byte* from, std::byte* to) const {
    V block = Pick(from, 0);
    const uint32_t loads = kLoads == 0 ? shape_.load_count : kLoads;
    for (uint32_t i = 1; i < loads; ++i) block = hn::Or(block, Pick(from, i));
    if constexpr (kStores == 1) {
      hn::StoreU(block, d, AsBytes(to));
    } else {
      const uint32_t stores = kStores == 0 ? shape_.store_count : kStores;
      for (uint32_t i = 0; i < stores; ++i) {
        const V mask = kStores == 0 ? hn::Load(d, shape_.store_masks[i]) : stores_[i];
        hn::StoreU(hn::TableLookupBytesOr0(block, mask), d, AsBytes(to) + i * 16);
      }
    }
  }

 private:
  using V = hn::Vec<Block>;
  static constexpr Block d = {};

  HWY_INLINE V Pick(const std::byte* from, uint32_t i) const {
    const std::byte* const at = from + shape_.load_offsets[i];
    if (i == 0) __builtin_prefetch(at + shape_.prefetch_offset, 0, 2);
    const V mask = kLoads == 0 ? hn::Load(d, shape_.load_masks[i]) : loads_[i];
    return hn::TableLookupBytesOr0(hn::LoadU(d, AsBytes(at)), mask);
  }

  const RowShape& shape_;
  V loads_[kLoads == 0 ? 1 : kLoads], stores_[kStores == 0 ? 1 : kStores];
};

template <uint32_t kLoads, uint32_t kStores>
void MoveSteppedRows(const RowShape& shape, const RowGroup& group) {
  const BlockMover<kLoads, kStores> mover(shape);
  const uint64_t block = RowShape::kBlockBytes / shape.element_size, count = group.count;
  const auto stride = static_cast<int64_t>(block) * shape.stride;
  const uint64_t step = block * shape.step;
  const uint64_t bytes = (count - 1) * shape.step + shape.element_size;
  const std::byte* from = group.from;
  std::byte* to = group.to;
  uint64_t zeros = group.zeros_before;
  for (uint64_t r = 0; r < group.rows; ++r, from += group.from_distance) {
    ZeroBytes(to, zeros);
    to += zeros;
    zeros = group.zeros_between;
    if (count < block) {
      if (shape.step != shape.element_size) ZeroBytes(to, bytes);
      MoveElements(shape, from, to, count);
    } else {
      const std::byte* at = from;
      std::byte* const last = to + (count - block) * shape.step;
      for (std::byte* out = to; out < last; out += step, at += stride) mover.Move(at, out);
      // The last block may overlap the one before it. The zeros behind its last
      // element are written again later, if they may be written at all.
      at = from + static_cast<int64_t>(count - block) * shape.stride;
      if (static_cast<uint64_t>(group.end - last) >= step) {
        mover.Move(at, last);
      } else {
        std::byte some[RowShape::kMaxMasks * RowShape::kBlockBytes];
        mover.Move(at, some);
        CopyBytes(last, some, static_cast<uint64_t>(to + bytes - last));
      }
    }
    to += bytes;
  }
}

MoveRows ChooseStepped(const RowShape& shape) {
  if (shape.store_count == 1) {
    switch (shape.load_count) {
      case 1:
        return MoveSteppedRows<1, 1>;
      case 2:
        return MoveSteppedRows<2, 1>;
      case 3:
        return MoveSteppedRows<3, 1>;
      case 4:
        return MoveSteppedRows<4, 1>;
      default:
        return MoveSteppedRows<0, 1>;
    }
  }
  const bool doubles = shape.load_count == 1 && shape.store_count == 2;
  return doubles ? MoveSteppedRows<1, 2> : MoveSteppedRows<0, 0>;
}

#endif  // HWY_TARGET != HWY_SCALAR

// ---- Non-temporal stores.

template <typename T>
HWY_INLINE Readable<T> ReadableOf(const RowShape& shape) {
  return {reinterpret_cast<const T*>(shape.readable_begin),
          reinterpret_cast<const T*>(shape.readable_end)};
}

template <typename T>
struct MakeForwards {
  HWY_INLINE Forwards<T> operator()(const RowShape& shape, const std::byte* from,
                                    uint64_t count) const {
    return {reinterpret_cast<const T*>(from), count, ReadableOf<T>(shape)};
  }
};
template <typename T>
struct MakeBackwards {
  HWY_INLINE Backwards<T> operator()(const RowShape& shape, const std::byte* from,
                                     uint64_t count) const {
    return {reinterpret_cast<const T*>(from), count, ReadableOf<T>(shape),
            -shape.prefetch_offset / static_cast<int64_t>(sizeof(T))};
  }
};
template <typename T>
struct MakeSpread {
  HWY_INLINE SpreadByTwo<T, Forwards<T>> operator()(const RowShape& shape, const std::byte* from,
                                                    uint64_t count) const {
    return SpreadByTwo<T, Forwards<T>>(MakeForwards<T>()(shape, from, count));
  }
};

template <typename T, class MakeRun>
void StreamRows(const RowShape& shape, const RowGroup& group) {
  StreamedRuns<T> runs(*group.stream);
  uint64_t zeros = group.zeros_before / sizeof(T);
  const std::byte* from = group.from;
  for (uint64_t r = 0; r < group.rows; ++r, from += group.from_distance) {
    if (zeros != 0) runs.Append(Same<T>{0, zeros});
    zeros = group.zeros_between / sizeof(T);
    runs.Append(MakeRun()(shape, from, group.count));
  }
  if (group.zeros_after != 0) runs.Append(Same<T>{0, group.zeros_after / sizeof(T)});
  if (group.is_last) return runs.Finish();
  runs.Save(*group.stream);
}

MoveRows ChooseStreamedPacked(const RowShape& shape) {
  MoveRows result = nullptr;
  DispatchWidth(shape.element_size, [&]<typename T>() { result = StreamRows<T, MakeForwards<T>>; });
  return result;
}

MoveRows ChooseStreamed(const RowShape& shape) {
  MoveRows result = nullptr;
  const int64_t size = shape.element_size;
  DispatchWidth(shape.element_size, [&]<typename T>() {
    if (shape.step == sizeof(T) && shape.stride == -size) result = StreamRows<T, MakeBackwards<T>>;
    if constexpr (sizeof(T) < 8) {
      if (shape.step == 2 * sizeof(T) && shape.stride == size) {
        result = StreamRows<T, MakeSpread<T>>;
      }
    }
  });
  return result;
}

RowMovers Choose(const RowShape& shape) {
#if HWY_TARGET != HWY_SCALAR
  return {MovePackedRows, ChooseStepped(shape), ChooseStreamedPacked(shape), ChooseStreamed(shape)};
#else
  (void)shape;
  return {MovePackedRows, MoveGappedRows, nullptr, nullptr};
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace anydml::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anydml::cpu {

HWY_EXPORT(Choose);

RowMovers ChooseRowMovers(const RowShape& shape) { return HWY_DYNAMIC_DISPATCH(Choose)(shape); }

void MoveGappedRows(const RowShape& shape, const RowGroup& group) {
  const std::byte* from = group.from;
  std::byte* to = group.to;
  uint64_t zeros = group.zeros_before;
  const uint64_t bytes = (group.count - 1) * shape.step + shape.element_size;
  for (uint64_t r = 0; r < group.rows; ++r, from += group.from_distance) {
    if (zeros != 0) std::memset(to, 0, zeros);
    to += zeros;
    zeros = group.zeros_between;
    if (shape.step != shape.element_size) std::memset(to, 0, bytes);
    MoveElements(shape, from, to, group.count);
    to += bytes;
  }
}

RowShape MakeRowShape(uint32_t element_size, int64_t stride, uint64_t step) {
  RowShape shape = {element_size, stride, step};
  constexpr int64_t kBytes = RowShape::kBlockBytes;
  const int64_t size = element_size, elements = kBytes / size;
  // Every load lies between the lowest byte of the elements and the highest.
  const int64_t lowest = std::min<int64_t>(0, (elements - 1) * stride);
  const int64_t last_load = std::max<int64_t>(0, (elements - 1) * stride) + size - kBytes;
  std::memset(shape.load_masks, 0x80, sizeof shape.load_masks);
  int64_t covered = lowest;  // elements below this are part of a load
  for (int64_t k = 0; k < elements; ++k) {
    const int64_t element = stride < 0 ? elements - 1 - k : k, at = element * stride;
    if (k == 0 || at + size > covered) {
      shape.load_offsets[shape.load_count++] = std::min(at, last_load);
      covered = shape.load_offsets[shape.load_count - 1] + kBytes;
    }
    const uint32_t load = shape.load_count - 1;
    for (int64_t b = 0; b < size; ++b) {
      shape.load_masks[load][element * size + b] =
          static_cast<uint8_t>(at + b - shape.load_offsets[load]);
    }
  }
  shape.store_count =
      static_cast<uint32_t>(std::min<uint64_t>(step / element_size, RowShape::kMaxMasks));
  std::memset(shape.store_masks, 0x80, sizeof shape.store_masks);
  for (uint64_t i = 0; i < RowShape::kBlockBytes; ++i) {
    const uint64_t to = i / element_size * step + i % element_size;
    if (to / kBytes >= shape.store_count) break;
    shape.store_masks[to / kBytes][to % kBytes] = static_cast<uint8_t>(i);
  }
  return shape;
}

}  // namespace anydml::cpu
#endif  // HWY_ONCE
