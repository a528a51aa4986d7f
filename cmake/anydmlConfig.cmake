# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# find_package(anydml) gives anydml::anydml.
include(${CMAKE_CURRENT_LIST_DIR}/anydmlTargets.cmake)
