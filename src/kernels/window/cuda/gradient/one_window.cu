// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One window sees the whole plane, and planes lie side by side in memory. A block
// brings some planes into shared memory, 16 bytes at a time; some lanes per plane
// find its winner; then the block writes all planes, again 16 bytes at a time.
#include "backends/cuda/launch.cuh"
#include "kernels/window/cuda/gradient/separate_windows.h"
#include "kernels/window/cuda/gradient/strategies.h"
#include "kernels/window/cuda/window_keys.cuh"
#include "kernels/window/gradient.h"

namespace anydml::window::gradient {
namespace {

constexpr int64_t kMaxBytes = 40 << 10;  // of planes in a block
constexpr int64_t kWantedBytes = 6 << 10;

struct PlaneChunks {
  uint32_t planes;  // of a block, at most one per warp's smallest part of lanes
  uint32_t all_planes;
  int lanes;  // per plane, a power of two
  cuda::Divider plane_size;
  cuda::Divider channels;
  int64_t dy_batch, dy_channel;
};

template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;

// Puts the number of the plane's greatest element in all its lanes.
template <typename T>
__device__ uint32_t FindInPlane(const T* plane, uint32_t size, int lane, int lanes) {
  int32_t best = INT32_MIN;  // below every key
  uint32_t winner = 0xFFFFFFFFu;
#pragma unroll 4
  for (uint32_t i = lane; i < size; i += lanes) {
    const int32_t key = cuda::KeyOf(plane[i]);
    winner = key > best ? i : winner;
    best = max(key, best);
  }
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    const int32_t key = __shfl_xor_sync(0xFFFFFFFFu, best, distance);
    const uint32_t number = __shfl_xor_sync(0xFFFFFFFFu, winner, distance);
    const bool greater = key > best || (key == best && number < winner);
    winner = greater ? number : winner;
    best = max(key, best);
  }
  return winner;
}

// Elements of the block's planes, from number `i` on.
template <typename T>
struct ChunkElements {
  const BitsOf<T>* gradients;
  const uint32_t* winners;
  uint32_t plane, number, size;
  uint32_t winner;
  BitsOf<T> gradient;

  __device__ ChunkElements(const BitsOf<T>* gradients, const uint32_t* winners,
                           const cuda::Divider& plane_size, uint32_t i)
      : gradients(gradients), winners(winners), number(i), size(plane_size.divisor()) {
    plane = plane_size.Split(number);
    winner = winners[plane];
    gradient = gradients[plane];
  }
  __device__ T Next() {
    const BitsOf<T> bits = winner == number ? gradient : BitsOf<T>{0};
    if (++number == size) {
      number = 0;
      ++plane;
      winner = winners[plane];
      gradient = gradients[plane];
    }
    return std::bit_cast<T>(bits);
  }
};

template <typename T, bool kAligned>
__global__ void __launch_bounds__(cuda::kThreadsPerBlock)
    CollectPlanes(PlaneChunks chunks, const T* x, const T* dy, T* dx) {
  constexpr uint32_t kPack = kAligned ? 16 / sizeof(T) : 1;
  using P = cuda::Pack<T, kPack>;
  // One more than there are: the walk looks at the next plane before it ends.
  __shared__ uint32_t winners[cuda::kThreadsPerBlock + 1];
  __shared__ BitsOf<T> gradients[cuda::kThreadsPerBlock + 1];
  extern __shared__ uint4 memory[];
  auto* elements = reinterpret_cast<T*>(memory);
  const uint32_t size = chunks.plane_size.divisor();
  const uint32_t first = blockIdx.x * chunks.planes;
  const uint32_t planes = min(chunks.planes, chunks.all_planes - first);
  const uint32_t count = planes * size;
  const uint32_t packed = count / kPack * kPack;
  x += uint64_t{first} * size;
  dx += uint64_t{first} * size;

  const uint32_t begin = threadIdx.x * kPack;
  for (uint32_t i = begin; i < packed; i += blockDim.x * kPack) {
    *reinterpret_cast<P*>(elements + i) = *reinterpret_cast<const P*>(x + i);
  }
  for (uint32_t i = packed + threadIdx.x; i < count; i += blockDim.x) elements[i] = x[i];
  const uint32_t plane = threadIdx.x / chunks.lanes;
  const int lane = static_cast<int>(threadIdx.x % chunks.lanes);
  T gradient = {};
  if (plane < planes) {
    uint32_t channel = first + plane;
    const uint32_t batch = chunks.channels.Split(channel);
    gradient = dy[batch * chunks.dy_batch + channel * chunks.dy_channel];
  }
  __syncthreads();
  const uint32_t winner =
      FindInPlane(elements + plane * size, plane < planes ? size : 0, lane, chunks.lanes);
  if (plane < planes && lane == 0) {
    winners[plane] = winner;
    const T value = cuda::Narrow<T>(__fadd_rn(cuda::Widen(gradient), 0.0f));
    gradients[plane] = std::bit_cast<BitsOf<T>>(value);
  }
  __syncthreads();
  for (uint32_t i = begin; i < packed; i += blockDim.x * kPack) {
    ChunkElements<T> element(gradients, winners, chunks.plane_size, i);
    P pack;
    for (uint32_t k = 0; k < kPack; ++k) pack.values[k] = element.Next();
    *reinterpret_cast<P*>(dx + i) = pack;
  }
  for (uint32_t i = packed + threadIdx.x; i < count; i += blockDim.x) {
    dx[i] = ChunkElements<T>(gradients, winners, chunks.plane_size, i).Next();
  }
}

// Planes and the elements of each lie side by side.
bool IsPacked(const Plan& plan, const PlaneStrides& strides) {
  const WindowLoop& loop = plan.loop;
  int64_t stride = 1;
  for (size_t i = 3; i-- > 0;) {
    if (loop.axes[i].input_size != 1 && strides.spatial[i] != stride) return false;
    stride *= loop.axes[i].input_size;
  }
  if (loop.channels != 1 && strides.channel != stride) return false;
  return loop.batches == 1 || strides.batch == stride * loop.channels;
}

uint32_t ElementSizeOf(const Plan& plan) { return plan.data_type == DataType::kFloat16 ? 2 : 4; }

// Planes of a block: whole 16 bytes of them, and a thread for each.
int64_t PlanesOfBlock(const Plan& plan) {
  const int64_t bytes = plan.loop.InputPlaneSize() * ElementSizeOf(plan);
  int64_t unit = 1;
  while (bytes * unit % 16 != 0) unit *= 2;
  const int64_t planes = std::clamp<int64_t>(kWantedBytes / bytes, 1, cuda::kThreadsPerBlock);
  return (planes + unit - 1) / unit * unit;
}

}  // namespace

Refusal AcceptsOneWindow(const Plan& plan) {
  for (const WindowAxis& axis : plan.loop.axes) {
    const bool sees_all = axis.output_size == 1 && axis.dilation == 1 &&
                          axis.window_size - axis.start_padding >= axis.input_size;
    if (!sees_all) return {"no window sees the whole plane"};
  }
  if (!IsPacked(plan, plan.input) || !IsPacked(plan, plan.output_gradient)) {
    return {"planes do not lie side by side"};
  }
  const int64_t most = kMaxBytes / ElementSizeOf(plan);
  if (plan.loop.InputPlaneSize() > most ||
      PlanesOfBlock(plan) * plan.loop.InputPlaneSize() > most) {
    return {"the planes are too large"};
  }
  return {};
}

void RunOneWindow(const Plan& plan, const NoTables&, const Bindings& bindings,
                  cuda::Stream stream) {
  const int64_t planes = PlanesOfBlock(plan);
  PlaneChunks chunks = {};
  chunks.planes = static_cast<uint32_t>(planes);
  chunks.all_planes = static_cast<uint32_t>(plan.loop.PlaneCount());
  const auto lanes = std::bit_floor(cuda::kThreadsPerBlock / chunks.planes);
  chunks.lanes = static_cast<int>(std::min(32u, lanes));
  chunks.plane_size = cuda::Divider(static_cast<uint64_t>(plan.loop.InputPlaneSize()));
  chunks.channels = cuda::Divider(static_cast<uint64_t>(plan.loop.channels));
  chunks.dy_batch = plan.input_gradient.batch;
  chunks.dy_channel = plan.input_gradient.channel;
  const auto bytes = static_cast<size_t>(planes * plan.loop.InputPlaneSize() * ElementSizeOf(plan));
  DispatchType(Types(), plan.data_type, [&]<typename T>() {
    const T* x = bindings.Input<T>(0);
    T* dx = bindings.Output<T>(0);
    const bool aligned = cuda::IsAligned(x) && cuda::IsAligned(dx);
    const auto kernel = aligned ? CollectPlanes<T, true> : CollectPlanes<T, false>;
    kernel<<<cuda::BlocksFor(chunks.all_planes, chunks.planes), cuda::kThreadsPerBlock, bytes,
             stream>>>(chunks, x, bindings.Input<T>(1), dx);
  });
}

}  // namespace anydml::window::gradient
