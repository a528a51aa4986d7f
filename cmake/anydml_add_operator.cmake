# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# anydml_add_operator(<folder>)
#   Adds src/operators/<folder> to anydml_operators and, with tests on, its
#   test.cpp to ctest as <folder>_test. Every folder has the same files: they
#   are the contract of docs/adding_an_operator.md.
function(anydml_add_operator folder)
  target_sources(anydml_operators PRIVATE
    ${folder}/desc.cpp
    ${folder}/plan.cpp
    ${folder}/cpu.cpp
    ${folder}/reference.cpp)
  set_property(GLOBAL APPEND PROPERTY ANYDML_OPERATOR_FOLDERS ${folder})
endfunction()

# anydml_add_test(<name> <sources>... [LIBRARIES <libraries>...])
#   A GoogleTest program whose tests are listed one by one in ctest.
function(anydml_add_test name)
  cmake_parse_arguments(arg "" "" "LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE anydml_options ${arg_LIBRARIES} GTest::gtest_main)
  set(properties TIMEOUT 600)
  if(ANYDML_SANITIZE MATCHES thread)
    list(APPEND properties
      ENVIRONMENT TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp)
  endif()
  gtest_discover_tests(${name} NO_PRETTY_VALUES PROPERTIES ${properties} DISCOVERY_TIMEOUT 60)
endfunction()
