// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// libanydml_cuda.so: the list of its kernels, and the one function that it exports.
#include <algorithm>
#include <array>

#include "backends/cuda/cudart.h"
#include "kernels/cuda_kernel.h"
#include "kernels/elementwise/cuda/copy.h"
#include "kernels/elementwise/cuda/fused.h"
#include "kernels/elementwise/cuda/table.h"
#include "kernels/matmul/cuda/strategies.h"
#include "kernels/moments/cuda/strategies.h"
#include "kernels/move/cuda/strategies.h"
#include "kernels/reduce/cuda/strategies.h"
#include "kernels/regions/cuda/strategies.h"
#include "kernels/resample/cuda/strategies.h"
#include "kernels/window/cuda/averages/strategies.h"
#include "kernels/window/cuda/gradient/strategies.h"
#include "kernels/window/cuda/maxima/strategies.h"
#include "kernels/window/cuda/responses/strategies.h"
#include "kernels/window/cuda/unpooling/strategies.h"
#include "operators/operators.h"

namespace anydml {
namespace {

// Operators whose kernels are a family's alone.
constexpr CudaKernel kOfFamilies[] = {
    {.name = "adam_optimizer", .strategies = moments::kCudaStrategies},
    {.name = "average_pooling", .strategies = window::average::kCudaAverages},
    {.name = "average_pooling_grad", .strategies = window::average::kCudaGradients},
    {.name = "bands", .strategies = move::kCudaBanded},
    {.name = "fill_value_constant", .strategies = move::kCudaFilled},
    {.name = "fill_value_sequence", .strategies = move::kCudaSequences},
    {.name = "gather", .strategies = move::kCudaGathered},
    {.name = "linear_channels", .strategies = elementwise::kCudaChannels},
    {.name = "local_response", .strategies = window::responses::kCudaStrategies},
    {.name = "mapped", .strategies = move::kCudaMapped},
    {.name = "matrix_multiply_integer", .strategies = matmul::kCudaIntegers},
    {.name = "max_pooling", .strategies = window::maxima::kCudaStrategies},
    {.name = "max_pooling_grad", .strategies = window::gradient::kCudaStrategies},
    {.name = "max_unpooling", .strategies = window::unpooling::kCudaStrategies},
    {.name = "nonzero", .strategies = move::kCudaNonzero},
    {.name = "normalization", .strategies = reduce::kCudaNormalizations},
    {.name = "normalization_gradient", .strategies = reduce::kCudaNormalizationGradients},
    {.name = "one_hot", .strategies = move::kCudaChosen},
    {.name = "parts", .strategies = move::kCudaParts},
    {.name = "quantized_range", .strategies = reduce::kCudaQuantizedRanges},
    {.name = "random_words", .strategies = move::kCudaRandom},
    {.name = "reduce", .strategies = reduce::kCudaReductions},
    {.name = "resample",
     .strategies = resample::kCudaStrategies,
     .upload = resample::UploadTables,
     .free = resample::FreeTables},
    {.name = "reversed", .strategies = move::kCudaReversed},
    {.name = "roi_align", .strategies = regions::kCudaAlign},
    {.name = "roi_align_grad", .strategies = regions::kCudaAlignGradient},
    {.name = "roi_pooling", .strategies = regions::kCudaPooling},
    {.name = "scan", .strategies = reduce::kCudaScans},
    {.name = "scatter", .strategies = move::kCudaScattered},
    {.name = "softmax", .strategies = reduce::kCudaSoftmaxes},
    {.name = "top_k", .strategies = move::kCudaTopK},
};

// In libanydml.so FindCudaKernel finds them by their names.
constexpr std::array kKernels = [] {
  constexpr std::array kOwn = {
      &elementwise::kCudaKernel,
      &matmul::kCudaKernel,
      &slice::kCudaKernel,
      &slice::kCudaGradientKernel,
  };
  std::array<const CudaKernel*, kOwn.size() + std::size(kOfFamilies)> kernels;
  auto* next = std::copy(kOwn.begin(), kOwn.end(), kernels.begin());
  for (const CudaKernel& kernel : kOfFamilies) *next++ = &kernel;
  return kernels;
}();

constexpr CudaKernelTable kKernelTable = {
    .kernels = kKernels,
    .run_fused = [](const cuda::FusedChain* chain,
                    cuda::Stream stream) { cuda::RunFused(*chain, stream); },
    .copy_elements =
        [](const StridedLoop<2>* loop, uint32_t element_size, const void* from, void* to,
           cuda::Stream stream) { cuda::CopyElements(*loop, element_size, from, to, stream); },
};

}  // namespace
}  // namespace anydml

extern "C" const anydml::cuda::Interface* anydml_cuda_interface() {
  using namespace anydml;
  static const cuda::Interface own = {
      .header = {.magic = cuda::kMagic,
                 .version = cuda::kVersion,
                 .bytes = sizeof(cuda::Interface),
                 .build = ANYDML_BUILD_IDENTITY},
      .runtime = cuda::kRuntimeFunctions,
      .kernels = &kKernelTable,
  };
  return &own;
}
