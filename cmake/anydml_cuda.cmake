# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# ANYDML_CUDA: kernels for NVIDIA devices, built where nvcc is found. The runtime
# is linked statically and looks for the driver when a program asks for devices,
# so the same library serves machines without one.
include(CheckLanguage)
check_language(CUDA)
if(CMAKE_CUDA_COMPILER AND NOT ANYDML_SANITIZE)
  set(found ON)
else()
  set(found OFF)
endif()
option(ANYDML_CUDA "Build the kernels for NVIDIA devices; needs nvcc" ${found})

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
  message(STATUS "NVIDIA devices: not built (nvcc was not found, or ANYDML_CUDA is off)")
endif()
