# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# ANYDML_CUDA: kernels for NVIDIA devices, built where nvcc is found. The runtime
# is linked statically and looks for the driver when a program asks for devices,
# so the same library serves machines without one.
include(CheckLanguage)
check_language(CUDA)
set(ANYDML_LEAST_CUDA 12.5)  # C++20 came with 12.0, cudaGetDriverEntryPointByVersion with 12.5
set(nvcc_is_old OFF)
if(CMAKE_CUDA_COMPILER)
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --version OUTPUT_VARIABLE nvcc_says ERROR_QUIET)
  if(nvcc_says MATCHES "release ([0-9.]+)" AND CMAKE_MATCH_1 VERSION_LESS ANYDML_LEAST_CUDA)
    set(nvcc_is_old ON)
    message(STATUS "NVIDIA devices: nvcc ${CMAKE_MATCH_1} is older than CUDA ${ANYDML_LEAST_CUDA}")
  endif()
endif()
if(CMAKE_CUDA_COMPILER AND NOT nvcc_is_old AND NOT ANYDML_SANITIZE)
  set(found ON)
else()
  set(found OFF)
endif()
option(ANYDML_CUDA "Build the kernels for NVIDIA devices; needs nvcc" ${found})
if(nvcc_is_old)
  # Also where it was asked for: it would not compile.
  set(ANYDML_CUDA OFF CACHE BOOL "Build the kernels for NVIDIA devices; needs nvcc" FORCE)
endif()

if(ANYDML_CUDA)
  set(CMAKE_CUDA_ARCHITECTURES ${ANYDML_CUDA_ARCHITECTURES})
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  enable_language(CUDA)
  # CMake 3.25 does not know that nvcc has C++20.
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  set(CMAKE_CUDA_EXTENSIONS OFF)
  # CUDA 13 has no nvToolsExt any more, and CMake 3.25 sets a property of it all the same.
  if(NOT TARGET CUDA::nvToolsExt)
    add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
  endif()
  find_package(CUDAToolkit REQUIRED)
  # A card below the first of these has no kernels in this build and is not listed.
  list(TRANSFORM ANYDML_CUDA_ARCHITECTURES REPLACE "[^0-9].*" "" OUTPUT_VARIABLE built)
  list(FILTER built INCLUDE REGEX "^[0-9]+$")
  list(SORT built COMPARE NATURAL)
  set(ANYDML_LEAST_CAPABILITY 80)  # of names such as all-major
  if(built)
    list(GET built 0 ANYDML_LEAST_CAPABILITY)
  endif()
  message(STATUS "NVIDIA devices: nvcc ${CMAKE_CUDA_COMPILER_VERSION}, "
                 "architectures ${CMAKE_CUDA_ARCHITECTURES}")
else()
  message(STATUS "NVIDIA devices: not built (nvcc was not found or is too old, or ANYDML_CUDA is off)")
endif()
