# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# anydml_add_operator(<folder> [<strategy>.cpp...] [CUDA <strategy>.cu...])
#   Adds src/operators/<folder> to anydml_operators and, with tests on, its
#   test.cpp to operators_test. Every folder has the same files: they
#   are the contract of docs/adding_an_operator.md. Strategies that fill files
#   of their own are named; those after CUDA go with cuda.cu into anydml_cuda.
function(anydml_add_operator folder)
  cmake_parse_arguments(arg "" "" "CUDA" ${ARGN})
  set(sources desc.cpp plan.cpp cpu.cpp reference.cpp ${arg_UNPARSED_ARGUMENTS})
  list(TRANSFORM sources PREPEND ${folder}/)
  target_sources(anydml_operators PRIVATE ${sources})
  if(ANYDML_CUDA)
    set(sources cuda.cu ${arg_CUDA})
    list(TRANSFORM sources PREPEND ${folder}/)
    target_sources(anydml_cuda PRIVATE ${sources})
  endif()
  set_property(GLOBAL APPEND PROPERTY ANYDML_BORDER_HEADERS operators/${folder}/plan.h)
  set_property(GLOBAL APPEND PROPERTY ANYDML_OPERATOR_FOLDERS ${folder})
endfunction()

# anydml_add_test(<name> <sources>... [LIBRARIES <libraries>...] [SHARDS <count>] [ALONE]
#                 [PROPERTIES <of its tests>...])
#   A GoogleTest program. In ctest it is one test, or <count> of them, <name>/1 and so on, each with
#   every <count>-th case; what fails is named in the output. Tests are compiled with -O1, which
#   takes two thirds of the time of -O3. Programs that link anydml_test_support share one
#   precompiled header: tests/precompiled.h. ALONE: each source is compiled by itself,
#   because many have the same short names, or one must not see another.
function(anydml_add_test name)
  cmake_parse_arguments(arg "ALONE" "SHARDS" "LIBRARIES;PROPERTIES" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With -O1, g++ 12 takes a long std::string for one that lies inside of its object.
    target_compile_options(${name} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
  target_link_libraries(${name} PRIVATE anydml_options ${arg_LIBRARIES} GTest::gtest_main)
  if(NOT arg_ALONE)
    anydml_compile_together(${name})
  endif()
  if("anydml_test_support" IN_LIST arg_LIBRARIES)
    get_property(first GLOBAL PROPERTY ANYDML_PRECOMPILED_HEADER)
    if(first)
      target_precompile_headers(${name} REUSE_FROM ${first})
    else()
      target_precompile_headers(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/precompiled.h)
      set_property(GLOBAL PROPERTY ANYDML_PRECOMPILED_HEADER ${name})
    endif()
  endif()
  if(NOT arg_SHARDS)
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES TIMEOUT 600 ${arg_PROPERTIES})
    return()
  endif()
  foreach(shard RANGE 1 ${arg_SHARDS})
    math(EXPR index "${shard} - 1")
    add_test(NAME ${name}/${shard} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${name}/${shard} PROPERTIES TIMEOUT 600
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_SHARDS};GTEST_SHARD_INDEX=${index}" ${arg_PROPERTIES})
  endforeach()
endfunction()
