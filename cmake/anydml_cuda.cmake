# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# ANYDML_CUDA: libanydml_cuda.so, kernels for NVIDIA devices, built where nvcc is
# found. The CUDA runtime is linked into it and looks for the driver when a program
# asks for devices, so the same library serves machines without one.
include(CheckLanguage)
# -DANYDML_NVCC=OFF leaves nvcc out of this run of CMake alone, as `make demo` wants it: the next
# run looks for it again.
set(use_nvcc ON)
if(DEFINED ANYDML_NVCC)
  set(use_nvcc ${ANYDML_NVCC})
  unset(ANYDML_NVCC CACHE)
endif()
if(use_nvcc AND (NOT DEFINED ANYDML_CUDA OR ANYDML_CUDA))
  check_language(CUDA)
endif()
set(ANYDML_LEAST_CUDA 12.5)  # C++20 came with 12.0, cudaGetDriverEntryPointByVersion with 12.5
set(nvcc_is_old OFF)
if(CMAKE_CUDA_COMPILER AND use_nvcc)
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
if(use_nvcc)
  option(ANYDML_CUDA "Build the kernels for NVIDIA devices; needs nvcc" ${found})
else()
  set(ANYDML_CUDA OFF)  # for this time: the cache keeps what it has
endif()
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
  message(STATUS "NVIDIA devices: not built (nvcc was not found or is too old, or it was left out)")
endif()

# anydml_compile_cuda_together(<target>): anydml_compile_folders_together for .cu files, which CMake
# does not join. nvcc takes over two seconds for the headers alone.
function(anydml_compile_cuda_together target)
  if(NOT ANYDML_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(rest ${sources})
  list(FILTER sources INCLUDE REGEX "\\.cu$")
  list(FILTER rest EXCLUDE REGEX "\\.cu$")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    get_source_file_property(alone ${source} TARGET_DIRECTORY ${target} SKIP_UNITY_BUILD_INCLUSION)
    if(alone)
      list(APPEND rest ${source})
    else()
      list(APPEND joined ${source})
    endif()
  endforeach()
  anydml_deal_out(batch 6 ${joined})
  foreach(number RANGE ${batch_last})
    list(TRANSFORM batch_${number} REPLACE "(.+)" "#include \"\\1\"\n")
    string(CONCAT text ${batch_${number}})
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_${number}.cu)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
    list(APPEND rest ${file})
  endforeach()
  set_property(TARGET ${target} PROPERTY SOURCES ${rest})
endfunction()

# anydml_set_build_identity(): what both libraries must agree on, as ANYDML_BUILD_IDENTITY: the
# version, and a digest of the headers of what crosses between them.
function(anydml_set_build_identity)
  get_property(headers GLOBAL PROPERTY ANYDML_BORDER_HEADERS)
  list(TRANSFORM headers PREPEND ${PROJECT_SOURCE_DIR}/src/)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
  set(digests "")
  foreach(header IN LISTS headers)
    file(SHA256 ${header} digest)
    string(APPEND digests ${digest})
  endforeach()
  string(SHA256 digest ${digests})
  string(SUBSTRING ${digest} 0 16 digest)
  set(identity ANYDML_BUILD_IDENTITY="${PROJECT_VERSION}-${digest}")
  # Where a program that has the library's code in it looks; GNUInstallDirs knows.
  set(folder lib)
  if(CMAKE_INSTALL_LIBDIR)
    set(folder ${CMAKE_INSTALL_LIBDIR})
  endif()
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/backends/cuda/library.cpp
    TARGET_DIRECTORY anydml_backends
    PROPERTIES COMPILE_DEFINITIONS "${identity};ANYDML_LIBRARY_FOLDER=\"${folder}\"")
  if(TARGET anydml_cuda)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/operators/kernels_cuda.cpp
      TARGET_DIRECTORY anydml_cuda PROPERTIES COMPILE_DEFINITIONS ${identity})
  endif()
endfunction()
