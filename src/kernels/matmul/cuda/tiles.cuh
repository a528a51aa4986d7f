// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Tiles of sums: a few terms of all rows and columns of a tile are brought to shared memory,
// straight from the tensors, while the products of the terms before them are added in registers.
// Where an element lies is the sum of what its index and its term say, from small tables in shared
// memory; so no image is copied, and nothing is divided per element. A chain that is complete is
// added to a total in shared memory, which leaves the registers to two blocks.
#pragma once

#include "kernels/matmul/cuda/async_copy.cuh"
#include "kernels/matmul/cuda/tiles.h"

namespace anydml::cuda {

// A thread has kRowsEach x kColumnsEach sums, a warp 4 x 8 threads. Both are in runs of four.
template <int kRowWarps, int kColumnWarps, int kRowsEach, int kColumnsEach, int kBlocksThere,
          int kStagesOfCopies>
struct Shape {
  static constexpr int kThreads = kRowWarps * kColumnWarps * 32;
  static constexpr int kBlocks = kBlocksThere;  // of a multiprocessor, at most
  static constexpr int kWarpsAbove = kRowWarps;
  static constexpr int kRowsOfThread = kRowsEach, kColumnsOfThread = kColumnsEach;
  static constexpr int kRowsOfTile = kRowWarps * 4 * kRowsEach;
  static constexpr int kColumnsOfTile = kColumnWarps * 8 * kColumnsEach;
  static constexpr int kIndices = kRowsOfTile + kColumnsOfTile;
  static constexpr bool kPacksTerms = PacksTerms(kRowsOfTile, kColumnsOfTile);
  static constexpr int kTerms = kIndices >= 256 ? 16 : 8;  // of a step
  static constexpr int kStages = kStagesOfCopies;
  static constexpr int kSegment = 64;  // terms whose places are found at once
  static constexpr int kStepsOfSegment = kSegment / kTerms;
  static_assert(kStages <= kStepsOfSegment && kSegment <= kThreads && kChain % kTerms == 0);
};

// What an index, or a term, says of an element: the sum of both is where it lies, in bytes and
// along the last two axes of the image.
struct alignas(16) Offset {
  int64_t bytes;
  int32_t y, x;
};

struct OutputPlace {
  int64_t output, addend;
};
static_assert(sizeof(OutputPlace) == sizeof(Offset));

template <class S, int kStages>
struct SharedTile {
  // Four more floats: warps that write terms side by side meet no bank twice.
  float rows[kStages][S::kTerms][S::kRowsOfTile + 4];
  float columns[kStages][S::kTerms][S::kColumnsOfTile + 4];
  Offset indices[S::kIndices];  // in the end of places of the output
  Offset terms[kSides][2 * S::kSegment];
  int32_t index_z[S::kIndices];
  int32_t term_z[2 * S::kSegment];
  float4 totals[S::kRowsOfTile * S::kColumnsOfTile / 4];  // with more than one chain

  template <int kSide>
  __device__ float* At(int stage, int term, int index) {
    return kSide == kRows ? &rows[stage][term][index] : &columns[stage][term][index];
  }
};

// Shared memory of a launch whose blocks have one chain, or several.
template <class Tile>
constexpr size_t BytesOf(bool several_chains) {
  return sizeof(Tile) - (several_chains ? 0 : sizeof(Tile::totals));
}

struct TilePlace {
  uint32_t batch;
  uint32_t first[kSides];
};

template <class S>
__device__ inline TilePlace PlaceOfTile(const TileClass& in, uint32_t tile) {
  TilePlace place;
  uint32_t row_tile = tile - in.first_tile;
  uint32_t column_tile = in.row_tiles.Split(row_tile);
  place.batch = in.column_tiles.Split(column_tile);
  place.first[kRows] = row_tile * S::kRowsOfTile;
  place.first[kColumns] = column_tile * S::kColumnsOfTile;
  return place;
}

__device__ inline const TileClass& ClassOfTile(const TileLaunch& launch, uint32_t tile) {
  uint32_t i = 0;
  while (i + 1 < launch.class_count && tile >= launch.classes[i + 1].first_tile) ++i;
  return launch.classes[i];
}

// The indices of a side. Those beyond the last are like the first: they are read and not stored.
template <class S, typename T, class Tile>
__device__ void FindIndices(const TileClass& in, const TilePlace& place, Tile& shared) {
  for (int i = threadIdx.x; i < S::kIndices; i += S::kThreads) {
    const int side = i < S::kRowsOfTile ? kRows : kColumns;
    const OutputAxes& axes = in.work.sides[side];
    uint32_t number = place.first[side] + (side == kRows ? i : i - S::kRowsOfTile);
    if (number >= axes.count) number = place.first[side];
    const Place at = axes.PlaceOf(number);
    const bool before = axes.first_space == 0;
    const auto position = [&](int axis) {
      const Positions& p = in.work.positions[axis];
      const uint32_t index = before ? at.at[axis] : at.at[axis + 1];
      return static_cast<int32_t>(p.first + StepsOf(index, p.index_step));
    };
    shared.indices[i] = {StepsOf(Along(at, axes.operand), sizeof(T)), position(1), position(2)};
    shared.index_z[i] = position(0);
  }
}

// The terms of a segment, which begins with term `first`; those beyond `end` are like the last.
template <class S, typename T, class Tile>
__device__ void FindTerms(const ClassWork& work, uint32_t first, uint32_t end, int half,
                          Tile& shared) {
  if (threadIdx.x >= S::kSegment || first >= end) return;
  const uint32_t term = min(first + threadIdx.x, end - 1);
  const Place at = work.depth.PlaceOf(term);
  const int i = half * S::kSegment + threadIdx.x;
  const auto position = [&](int axis) {
    return static_cast<int32_t>(StepsOf(at.at[axis + 1], work.positions[axis].tap_step));
  };
  for (int side = 0; side < kSides; ++side) {
    shared.terms[side][i] = {StepsOf(Along(at, work.depth.steps[side]), sizeof(T)), position(1),
                             position(2)};
  }
  shared.term_z[i] = position(0);
}

// The elements of one step on one side, as the threads share them.
template <class S, int kSide>
struct Cells {
  static constexpr int kTile = (kSide == kRows ? S::kRowsOfTile : S::kColumnsOfTile);
  static constexpr int kCount = kTile * S::kTerms / S::kThreads;  // of a thread
  static_assert(kCount % 4 == 0 && S::kThreads % kTile == 0 && kTile % 4 == 0);

  struct Cell {
    int index, term;
  };
  // With packs, of indices or of terms, those of 4 * i and on, else number i.
  __device__ static Cell At(Reach reach, int i) {
    const int thread = threadIdx.x;
    if (reach == Reach::kPacks) {
      const int pack = thread + i * S::kThreads;
      return {pack % (kTile / 4) * 4, pack / (kTile / 4)};
    }
    if (reach == Reach::kIndices) {
      return {thread % kTile, thread / kTile + i * (S::kThreads / kTile)};
    }
    if (reach == Reach::kTermPacks) {
      constexpr int kPacksOfIndex = S::kTerms / 4;
      const int pack = thread + i * S::kThreads;
      return {pack / kPacksOfIndex, pack % kPacksOfIndex * 4};
    }
    return {thread / S::kTerms + i * (S::kThreads / S::kTerms), thread % S::kTerms};
  }

  // Calls visit(i, cell, address, whether it is inside) for every cell, or pack, of the thread.
  // `first_term` is the step's first in the tables.
  template <bool kBordered, Reach kReach, class Tile, class Do>
  __device__ static void Visit(const TileClass& in, const char* from, int first_term, Tile& shared,
                               const Do& visit) {
    constexpr int kFirst = kSide == kRows ? 0 : S::kRowsOfTile;
    constexpr int kVisits = kReach == Reach::kPacks ? kCount / 4 : kCount;
#pragma unroll
    for (int i = 0; i < kVisits; ++i) {
      const Cell cell = At(kReach, i);
      const auto index = LoadPack<Offset>(&shared.indices[kFirst + cell.index]);
      const auto term = LoadPack<Offset>(&shared.terms[kSide][first_term + cell.term]);
      bool inside = true;
      if constexpr (kBordered) {
        const auto& p = in.work.positions;
        inside = static_cast<uint32_t>(index.y + term.y) < static_cast<uint32_t>(p[1].size) &&
                 static_cast<uint32_t>(index.x + term.x) < static_cast<uint32_t>(p[2].size);
        if (in.has_volume) {
          const int32_t z =
              shared.index_z[kFirst + cell.index] + shared.term_z[first_term + cell.term];
          inside = inside && static_cast<uint32_t>(z) < static_cast<uint32_t>(p[0].size);
        }
      }
      // What is the same for all cells first.
      const char* const address = kReach == Reach::kTerms ? from + term.bytes + index.bytes
                                                          : from + index.bytes + term.bytes;
      visit(i, cell, address, inside);
    }
  }

  template <class Tile, class Packs, class Each>
  __device__ static void Visit(const TileClass& in, const char* from, int first_term, Tile& shared,
                               const Packs& packs, const Each& each) {
    const Reach reach = in.reaches[kSide];
    const bool bordered = in.bordered == kSide;
    if (reach == Reach::kPacks) {
      Visit<false, Reach::kPacks>(in, from, first_term, shared, packs);
    } else if (reach == Reach::kIndices) {
      bordered ? Visit<true, Reach::kIndices>(in, from, first_term, shared, each)
               : Visit<false, Reach::kIndices>(in, from, first_term, shared, each);
    } else {
      bordered ? Visit<true, Reach::kTerms>(in, from, first_term, shared, each)
               : Visit<false, Reach::kTerms>(in, from, first_term, shared, each);
    }
  }

  // Packs of terms go by way of registers, which turns them. Behind the last of `left` terms there
  // is nothing to read.
  template <typename T, class Tile>
  __device__ static void LoadTerms(const char* from, int first_term, int left, Tile& shared,
                                   T (&held)[kCount]) {
    constexpr int kFirst = kSide == kRows ? 0 : S::kRowsOfTile;
#pragma unroll
    for (int i = 0; i < kCount / 4; ++i) {
      const Cell cell = At(Reach::kTermPacks, i);
      if (cell.term >= left) continue;
      const auto pack = LoadPack<Pack<T, 4>>(from + shared.indices[kFirst + cell.index].bytes +
                                             shared.terms[kSide][first_term + cell.term].bytes);
      for (int j = 0; j < 4; ++j) held[4 * i + j] = pack.values[j];
    }
  }
  template <typename T, class Tile>
  __device__ static void StoreTerms(int stage, Tile& shared, const T (&held)[kCount]) {
#pragma unroll
    for (int i = 0; i < kCount / 4; ++i) {
      const Cell cell = At(Reach::kTermPacks, i);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        *shared.template At<kSide>(stage, cell.term + j, cell.index) = Widen(held[4 * i + j]);
      }
    }
  }

  // A step begins: its elements are copied, or held until it ends.
  template <typename T, class Tile>
  __device__ static void Fetch(const TileClass& in, const char* from, int first_term, int left,
                               int stage, Tile& shared, T (&held)[kCount]) {
    if constexpr (S::kPacksTerms) {
      if (in.reaches[kSide] == Reach::kTermPacks) {
        LoadTerms(from, first_term, left, shared, held);
        return;
      }
    }
    if constexpr (sizeof(T) == 4) {
      Copy(in, from, first_term, stage, shared);
    } else {
      Load(in, from, first_term, shared, held);
    }
  }
  template <typename T, class Tile>
  __device__ static void Put(const TileClass& in, int stage, Tile& shared,
                             const T (&held)[kCount]) {
    if constexpr (S::kPacksTerms) {
      if (in.reaches[kSide] == Reach::kTermPacks) {
        StoreTerms(stage, shared, held);
        return;
      }
    }
    if constexpr (sizeof(T) != 4) Store(in, stage, shared, held);
  }

  // FLOAT32: straight into shared memory.
  template <class Tile>
  __device__ static void Copy(const TileClass& in, const char* from, int first_term, int stage,
                              Tile& shared) {
    Visit(
        in, from, first_term, shared,
        [&](int, Cell cell, const char* address, bool) {
          CopyAsync<16>(shared.template At<kSide>(stage, cell.term, cell.index), address);
        },
        [&](int, Cell cell, const char* address, bool inside) {
          CopyAsync<4>(shared.template At<kSide>(stage, cell.term, cell.index), address, inside);
        });
  }

  // FLOAT16: by way of registers.
  template <class Tile>
  __device__ static void Load(const TileClass& in, const char* from, int first_term, Tile& shared,
                              Float16 (&held)[kCount]) {
    Visit(
        in, from, first_term, shared,
        [&](int i, Cell, const char* address, bool) {
          const auto pack = LoadPack<Pack<Float16, 4>>(address);
          for (int j = 0; j < 4; ++j) held[4 * i + j] = pack.values[j];
        },
        [&](int i, Cell, const char* address, bool inside) {
          held[i] = inside ? *reinterpret_cast<const Float16*>(address) : Float16{0};
        });
  }
  template <class Tile>
  __device__ static void Store(const TileClass& in, int stage, Tile& shared,
                               const Float16 (&held)[kCount]) {
    const Reach reach = in.reaches[kSide];
    if (reach == Reach::kPacks) {
#pragma unroll
      for (int i = 0; i < kCount / 4; ++i) {
        const Cell cell = At(Reach::kPacks, i);
        *reinterpret_cast<float4*>(shared.template At<kSide>(stage, cell.term, cell.index)) =
            make_float4(Widen(held[4 * i]), Widen(held[4 * i + 1]), Widen(held[4 * i + 2]),
                        Widen(held[4 * i + 3]));
      }
      return;
    }
    const bool by_index = reach == Reach::kIndices;
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      const Cell cell = by_index ? At(Reach::kIndices, i) : At(Reach::kTerms, i);
      *shared.template At<kSide>(stage, cell.term, cell.index) = Widen(held[i]);
    }
  }
};

// The sums of a thread.
template <class S>
struct Sums {
  static constexpr int kRowsEach = S::kRowsOfThread, kColumnsEach = S::kColumnsOfThread;
  static constexpr int kQuads = kColumnsEach / 4;
  float at[kRowsEach][kColumnsEach];

  // Of the thread's row `i` and its quad `q` of columns, in the tile. Two lanes that differ in bit
  // 0 have the same rows, in bit 1 the same columns: then a warp's loads of 16 bytes per lane take
  // two passes of shared memory instead of four.
  __device__ static int Row(int i) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int above = lane / 2 % 2 + lane / 16 * 2;
    return warp % S::kWarpsAbove * 4 * kRowsEach + above * 4 + i / 4 * 16 + i % 4;
  }
  __device__ static int Column(int q) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int before = lane % 2 + lane / 4 % 4 * 2;
    return warp / S::kWarpsAbove * 8 * kColumnsEach + before * 4 + q * 32;
  }

  __device__ void Clear() {
#pragma unroll
    for (int i = 0; i < kRowsEach * kColumnsEach; ++i) at[i / kColumnsEach][i % kColumnsEach] = 0;
  }
  // Adds one product to each; the pointers are those of the thread's first row and column.
  __device__ void AddTerm(const float* row, const float* column) {
    float rows[kRowsEach], columns[kColumnsEach];
#pragma unroll
    for (int i = 0; i < kRowsEach; i += 4) {
      *reinterpret_cast<float4*>(rows + i) = *reinterpret_cast<const float4*>(row + i * 4);
    }
#pragma unroll
    for (int i = 0; i < kColumnsEach; i += 4) {
      *reinterpret_cast<float4*>(columns + i) = *reinterpret_cast<const float4*>(column + i * 8);
    }
#pragma unroll
    for (int i = 0; i < kRowsEach; ++i) {
#pragma unroll
      for (int j = 0; j < kColumnsEach; ++j) at[i][j] = __fmaf_rn(rows[i], columns[j], at[i][j]);
    }
  }
  __device__ float4& Quad(int i, int q) { return *reinterpret_cast<float4*>(&at[i][q * 4]); }

  // The chain is complete: the totals take it up, or, with the last chain, it becomes the total.
  // A total begins with +0: a chain may be -0.
  __device__ void Fold(float4* totals, bool first, bool last) {
#pragma unroll
    for (int i = 0; i < kRowsEach; ++i) {
#pragma unroll
      for (int q = 0; q < kQuads; ++q) {
        float4& total = totals[(i * kQuads + q) * S::kThreads + threadIdx.x];
        float4 sum = first ? make_float4(0, 0, 0, 0) : total;
        const float4 chain = Quad(i, q);
        sum.x = __fadd_rn(sum.x, chain.x);
        sum.y = __fadd_rn(sum.y, chain.y);
        sum.z = __fadd_rn(sum.z, chain.z);
        sum.w = __fadd_rn(sum.w, chain.w);
        if (!last) total = sum;
        Quad(i, q) = last ? sum : make_float4(0, 0, 0, 0);
      }
    }
  }
};

// All terms of [begin, end), chain by chain; with split chains there is one.
template <class S, typename T, class Tile>
__device__ void SumTerms(const TileClass& in, const char* const (&from)[kSides], uint32_t begin,
                         uint32_t end, bool split, Tile& shared, Sums<S>& sums) {
  constexpr bool kAsync = sizeof(T) == 4;
  constexpr int kStages = kAsync ? S::kStages : 2;
  constexpr int kTerms = S::kTerms;
  const uint32_t steps = (end - begin + kTerms - 1) / kTerms;
  T held_rows[Cells<S, kRows>::kCount];
  T held_columns[Cells<S, kColumns>::kCount];
  const auto begin_step = [&](uint32_t step, int stage) {
    const int first_term = step * kTerms % (2 * S::kSegment);
    if (step < steps) {
      const auto left = static_cast<int>(min(end - begin - step * kTerms, uint32_t{kTerms}));
      Cells<S, kRows>::Fetch(in, from[kRows], first_term, left, stage, shared, held_rows);
      Cells<S, kColumns>::Fetch(in, from[kColumns], first_term, left, stage, shared, held_columns);
    }
    if constexpr (kAsync) CloseCopies();
  };
  const auto end_step = [&](uint32_t step, int stage) {
    if (step >= steps) return;
    Cells<S, kRows>::Put(in, stage, shared, held_rows);
    Cells<S, kColumns>::Put(in, stage, shared, held_columns);
  };

  const int row = Sums<S>::Row(0), column = Sums<S>::Column(0);
#pragma unroll
  for (int i = 0; i < kStages - 1; ++i) {
    begin_step(i, i);
    end_step(i, i);
  }
  int stage = 0, free_stage = kStages - 1;
  bool first_chain = true;
#pragma unroll 1
  for (uint32_t step = 0; step < steps; ++step) {
    if constexpr (kAsync) WaitForCopies<kStages - 2>();
    __syncthreads();
    if (step % S::kStepsOfSegment == 0) {
      const uint32_t segment = step / S::kStepsOfSegment + 1;
      FindTerms<S, T>(in.work, begin + segment * S::kSegment, end, segment % 2, shared);
    }
    begin_step(step + kStages - 1, free_stage);
    const uint32_t term = begin + step * kTerms;
    const int terms = static_cast<int>(min(end - term, uint32_t{kTerms}));
    if (terms == kTerms) {
#pragma unroll
      for (int k = 0; k < kTerms; ++k) {
        sums.AddTerm(&shared.rows[stage][k][row], &shared.columns[stage][k][column]);
      }
    } else {
#pragma unroll 1
      for (int k = 0; k < terms; ++k) {
        sums.AddTerm(&shared.rows[stage][k][row], &shared.columns[stage][k][column]);
      }
    }
    end_step(step + kStages - 1, free_stage);
    free_stage = stage;
    stage = stage + 1 == kStages ? 0 : stage + 1;
    const bool last = step + 1 == steps;
    if (!split && (last || (term + kTerms) % kChain == 0)) {
      sums.Fold(shared.totals, first_chain, last);
      first_chain = false;
    }
  }
}

template <class S>
__device__ void StorePartials(const TileClass& in, const TilePlace& place, float* partials,
                              Sums<S>& sums) {
#pragma unroll
  for (int i = 0; i < Sums<S>::kRowsEach; ++i) {
    const int row = sums.Row(i);
    if (place.first[kRows] + row >= in.work.sides[kRows].count) continue;
#pragma unroll
    for (int q = 0; q < Sums<S>::kQuads; ++q) {
      *reinterpret_cast<float4*>(partials + row * S::kColumnsOfTile + sums.Column(q)) =
          sums.Quad(i, q);
    }
  }
}

template <class S, typename T, class Tile>
__device__ void StoreTile(const TileLaunch& launch, const TileClass& in, const TilePlace& place,
                          const Operands<T>& operands, Tile& shared, Sums<S>& sums) {
  auto* places = reinterpret_cast<OutputPlace*>(shared.indices);
  __syncthreads();
  for (int i = threadIdx.x; i < S::kIndices; i += S::kThreads) {
    const int side = i < S::kRowsOfTile ? kRows : kColumns;
    const OutputAxes& axes = in.work.sides[side];
    const Place at = axes.PlaceOf(place.first[side] + (side == kRows ? i : i - S::kRowsOfTile));
    places[i] = {Along(at, axes.output), Along(at, axes.addend)};
  }
  __syncthreads();
  T* const output = operands.output + in.work.output_start +
                    launch.batches.Along(place.batch, &BatchAxis::output);
  const int64_t addend = launch.batches.Along(place.batch, &BatchAxis::addend);
#pragma unroll
  for (int i = 0; i < Sums<S>::kRowsEach; ++i) {
    const int row = sums.Row(i);
    if (place.first[kRows] + row >= in.work.sides[kRows].count) continue;
    const OutputPlace of_row = places[row];
#pragma unroll
    for (int q = 0; q < Sums<S>::kQuads; ++q) {
      const int column = sums.Column(q);
      const OutputPlace* of_columns = places + S::kRowsOfTile + column;
      const uint32_t left = in.work.sides[kColumns].count - place.first[kColumns];
      Pack<T, 4> pack;
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        if (column + j >= left) continue;
        const OutputPlace to = of_columns[j];
        pack.values[j] = operands.finish(sums.at[i][q * 4 + j], addend + of_row.addend + to.addend);
        if (!in.packed_output) output[of_row.output + to.output] = pack.values[j];
      }
      if (in.packed_output && column < left) {
        StorePack(pack, output + of_row.output + of_columns[0].output);
      }
    }
  }
}

template <class S, typename T>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    SumTiles(const __grid_constant__ TileLaunch launch, Operands<T> operands) {
  extern __shared__ float4 tile_memory[];
  auto& shared = *reinterpret_cast<SharedTile<S, sizeof(T) == 4 ? S::kStages : 2>*>(tile_memory);
  const TileClass& in = ClassOfTile(launch, blockIdx.x);
  const TilePlace place = PlaceOfTile<S>(in, blockIdx.x);
  const bool split = launch.partials != nullptr;
  const uint32_t begin = split ? (launch.first_chain + blockIdx.y) * kChain : 0;
  const uint32_t end =
      split ? min(in.work.depth.count - begin, kChain) + begin : in.work.depth.count;
  Sums<S> sums;
  sums.Clear();
  if (begin < end) {
    FindIndices<S, T>(in, place, shared);
    FindTerms<S, T>(in.work, begin, end, 0, shared);
    __syncthreads();
    const char* const from[kSides] = {
        reinterpret_cast<const char*>(operands.sides[kRows] + in.work.starts[kRows] +
                                      launch.batches.Along(place.batch, &BatchAxis::rows)),
        reinterpret_cast<const char*>(operands.sides[kColumns] + in.work.starts[kColumns] +
                                      launch.batches.Along(place.batch, &BatchAxis::columns))};
    SumTerms<S, T>(in, from, begin, end, split, shared, sums);
  }
  if (split) {
    constexpr uint64_t kSums = S::kRowsOfTile * S::kColumnsOfTile;
    const uint64_t number = uint64_t{blockIdx.y} * launch.tiles + blockIdx.x;
    StorePartials<S>(in, place, launch.partials + number * kSums, sums);
  } else {
    StoreTile<S, T>(launch, in, place, operands, shared, sums);
  }
}

template <class S, typename T>
void LaunchShape(const TileLaunch& launch, const Operands<T>& operands, uint32_t chains,
                 Stream stream) {
  bool several = false;
  for (uint32_t i = 0; i < launch.class_count && launch.partials == nullptr; ++i) {
    several = several || launch.classes[i].work.depth.count > kChain;
  }
  using Tile = SharedTile<S, sizeof(T) == 4 ? S::kStages : 2>;
  const size_t bytes = BytesOf<Tile>(several);
  cudaFuncSetAttribute(SumTiles<S, T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(bytes));
  SumTiles<S, T><<<dim3(launch.tiles, chains), S::kThreads, bytes, stream>>>(launch, operands);
}

// The shapes of kTileShapes.
template <typename T>
void LaunchTiles(TileSize size, const TileLaunch& launch, const Operands<T>& operands,
                 uint32_t chains, Stream stream) {
  switch (size) {
    case TileSize::k128x128:
      return LaunchShape<Shape<4, 2, 8, 8, 2, 2>>(launch, operands, chains, stream);
    case TileSize::k64x128:
      return LaunchShape<Shape<2, 2, 8, 8, 3, 3>>(launch, operands, chains, stream);
    case TileSize::k64x64:
      return LaunchShape<Shape<2, 1, 8, 8, 6, 3>>(launch, operands, chains, stream);
    default:
      return LaunchShape<Shape<2, 1, 4, 4, 8, 4>>(launch, operands, chains, stream);
  }
}

}  // namespace anydml::cuda
