// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// One training on several processes (MPI), whose weights have the same bits on 1, 2, 4 and 8 of
// them, CPUs and NVIDIA cards. MPI moves bytes and adds nothing:
//   - A batch always is 8 shards. Each process computes the gradients of as many, neighbours, and
//     sums them as a balanced tree, ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)).
//   - All-to-all: process k gets piece k of every sum, and goes on with the tree there.
//   - All-gather: all get all pieces and make the same update.
//
//   mpirun -n 4 example_train_mpi [--data FOLDER] [--device cpu] [--threads 1] [--steps 40]
//   mpirun -n 1 example_train_mpi : -n 1 example_train_mpi --device cuda:0
#include <mpi.h>

#include "train_support.h"

using namespace anydml;  // NOLINT: an example is read from top to bottom

constexpr uint32_t kShards = 8;   // however many processes there are
constexpr uint32_t kSamples = 8;  // of a shard

// Bytes {N, 1, 28, 28} -> scores {N, 10}
Value Network(Model& m, const Value& bytes) {
  const Tensor floats = {DataType::kFloat32, bytes.sizes()};
  const Value x = Cast(bytes, {.OutputTensor = floats}) * (1 / 255.0f);
  const Value v = Relu(m.Convolve(x, "conv", 8, 5, /*padding=*/2));
  return m.Linear(Flatten(MaxPooling2(v, {.Strides = 2u, .WindowSize = 2u})), "scores", 10);
}

// leaf(first) + ... + leaf(first + count - 1): the sum of the first half and that of the second.
using Floats = std::vector<float>;
template <typename Leaf>
Floats TreeSum(uint32_t first, uint32_t count, const Leaf& leaf) {
  if (count == 1) return leaf(first);
  Floats sum = TreeSum(first, count / 2, leaf);
  const Floats other = TreeSum(first + count / 2, count / 2, leaf);
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += other[i];
  return sum;
}

void Train(Options& options, uint32_t rank, uint32_t ranks) {
  const Dataset train = Clothes(options["--data"], "train");
  Batches batches(train, kShards * kSamples, /*seed=*/2);
  const Device device = OpenDevice(options);

  // What a shard computes: pictures, classes and weights -> the loss and its gradients.
  Model model;
  const Value x = model.Input("x", DataType::kUint8, {kSamples, 1, 28, 28});
  const Value classes = model.Input("classes", DataType::kUint32, {kSamples});
  const Value loss = CrossEntropy(Network(model, x), classes);
  // All weights are one array, in which each begins at a multiple of 256 bytes. Moments and
  // gradients are arrays alike, with the loss behind the gradients.
  Floats values;
  std::vector<size_t> places;
  std::vector<Value> kept;
  std::vector<anydml_tensor_info> infos;
  for (const anydml_parameter& p : model.kept()) {
    kept.emplace_back(model.get(), p.value);
    const anydml_tensor_info& w = infos.emplace_back(kept.back().info());
    const size_t place = places.emplace_back(values.size());
    values.resize(place + (w.total_bytes + 255) / 256 * 64);
    if (p.initial == ANYDML_ZEROS) continue;
    detail::Check(anydml_initial_weight(/*seed=*/1, w.name, w.dimension_count, w.sizes, p.bound,
                                        &values[place]));
  }
  const auto loss_place = static_cast<uint32_t>(values.size()), size = loss_place + 64;
  const uint64_t bytes = size * sizeof(float);
  std::vector<Value> outputs = model.Gradients(loss, kept);
  outputs.push_back(loss);
  const Operator shard = device.Compile(model, outputs);

  // The update: one ADAM_OPTIMIZER for all, written over what it reads. The factor 1/8 is exact.
  Graph g;
  const Value w = g.Input("w", {size}), m = g.Input("m", {size}), v = g.Input("v", {size});
  const Value sum = g.Input("sum", {size}), t = g.Input("step", DataType::kUint32, {1});
  const auto next = AdamOptimizer(w, m, v, sum * (1.0f / kShards), t, {.LearningRate = 2e-3f});
  const Operator update =
      device.Compile(g, {next.OutputParameters, next.OutputFirstMoment, next.OutputSecondMoment},
                     {{0, 0}, {1, 1}, {2, 2}});

  const auto allocate = [&](uint64_t n) { return static_cast<float*>(device.Allocate(n)); };
  float *xs = allocate(kSamples * 784), *labels = allocate(kSamples * 4), *number = allocate(4);
  float *ws = allocate(4 * bytes), *ms = ws + size, *vs = ms + size, *ds = vs + size;
  values.resize(4 * size_t{size});  // zeros
  device.Copy(ws, values.data(), 4 * bytes);
  std::vector<const void*> given = {xs, labels};
  std::vector<void*> results;
  for (const size_t place : places) given.push_back(ws + place), results.push_back(ds + place);
  results.push_back(ds + loss_place);
  const auto gradients = [&](uint32_t s) {
    device.Copy(xs, batches.samples().data() + s * kSamples * 784, kSamples * 784);
    device.Copy(labels, batches.labels().data() + s * kSamples, kSamples * 4);
    shard.Execute(given, results);
    Floats all(size);
    device.Copy(all.data(), ds, bytes);
    return all;
  };
  const uint32_t share = kShards / ranks, n = size / ranks;
  Floats pieces(size), whole(size);
  const auto piece_of = [&](uint32_t r) { return Floats(&pieces[r * n], &pieces[r * n] + n); };
  for (uint32_t step = 1; step <= Number(options, "--steps"); ++step) {
    batches.Next();
    const Floats own = TreeSum(rank * share, share, gradients);
    MPI_Alltoall(own.data(), n, MPI_FLOAT, pieces.data(), n, MPI_FLOAT, MPI_COMM_WORLD);
    const Floats mine = TreeSum(0, ranks, piece_of);
    MPI_Allgather(mine.data(), n, MPI_FLOAT, whole.data(), n, MPI_FLOAT, MPI_COMM_WORLD);
    device.Copy(ds, whole.data(), bytes);
    device.Copy(number, &step, sizeof step);
    update.Execute({ws, ms, vs, ds, number}, {ws, ms, vs});
    if (step % 20 == 0) std::printf("step %3u  loss %.3f\n", step, whole[loss_place] / kShards);
  }
  device.Copy(values.data(), ws, bytes);
  for (void* memory : {xs, labels, number, ws}) device.Free(memory);
  std::vector<anydml_weight> weights;
  for (const anydml_tensor_info& w : infos) {
    const float* const elements = &values[places[weights.size()]];
    weights.push_back({w.name, w.dimension_count, w.sizes, elements});
  }
  char digits[65];
  detail::Check(anydml_checksum(static_cast<uint32_t>(weights.size()), weights.data(), digits));
  std::printf("sha256 of the weights: %s\n", digits);
}

int main(int argc, char** argv) try {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Options options = {{"--device", "cpu"}, {"--threads", "1"}, {"--steps", "40"}};
  options["--data"] = kClothes;
  options = ReadOptions(argc, argv, options);
  if (kShards % ranks != 0) throw std::invalid_argument("there must be 1, 2, 4 or 8 processes");
  if (rank != 0 && std::freopen("/dev/null", "w", stdout) == nullptr) return 1;  // one speaks
  Train(options, static_cast<uint32_t>(rank), static_cast<uint32_t>(ranks));
  MPI_Finalize();
} catch (const std::exception& problem) {
  std::fprintf(stderr, "train_mpi: %s\n", problem.what());
  MPI_Abort(MPI_COMM_WORLD, 1);
}
