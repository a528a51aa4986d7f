# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# anydml_add_operator(<folder> [<strategy>.cpp...] [CUDA <strategy>.cu...])
#   Adds src/operators/<folder> to anydml_operators and, with tests on, its
#   test.cpp to ctest as <folder>_test. Every folder has the same files: they
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

# anydml_add_test(<name> <sources>... [LIBRARIES <libraries>...] [PROPERTIES <of its tests>...])
#   A GoogleTest program whose tests are listed one by one in ctest.
function(anydml_add_test name)
  cmake_parse_arguments(arg "" "" "LIBRARIES;PROPERTIES" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE anydml_options ${arg_LIBRARIES} GTest::gtest_main)
  gtest_discover_tests(${name} NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT 600 ${arg_PROPERTIES})
endfunction()
