# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# find_package(anydml) gives anydml::anydml. The headers that directml.h includes are looked for
# on this machine: where they lay when AnyDML was built says nothing of it.
list(PREPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
find_package(DirectXHeaders QUIET)
list(POP_FRONT CMAKE_MODULE_PATH)
if(NOT DirectXHeaders_FOUND)
  set(anydml_FOUND FALSE)
  set(anydml_NOT_FOUND_MESSAGE "${DirectXHeaders_ADVICE}")
  return()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/anydmlTargets.cmake)
target_include_directories(anydml::anydml_headers SYSTEM INTERFACE ${DirectXHeaders_INCLUDE_DIRS})
