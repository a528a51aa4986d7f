# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# find_package(DirectXHeaders) sets DirectXHeaders_INCLUDE_DIRS: what directml.h, and the
# programs that include it, need for d3d12.h. Debian's pkg-config file names all of them, that of
# vcpkg one and Conan's package two: so they are looked for by what lies in them. Also
# installed, for find_package(anydml).
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_get_variable(DirectXHeaders_HINT DirectX-Headers includedir)
endif()
find_path(DirectXHeaders_INCLUDE_DIR directx/d3d12.h HINTS ${DirectXHeaders_HINT})
mark_as_advanced(DirectXHeaders_INCLUDE_DIR)
# The stand-ins for Windows' own headers are a part of the same packages.
find_path(DirectXHeaders_STUBS_DIR unknwn.h PATHS ${DirectXHeaders_INCLUDE_DIR}/wsl/stubs
  NO_DEFAULT_PATH)
mark_as_advanced(DirectXHeaders_STUBS_DIR)

set(DirectXHeaders_ADVICE "Microsoft's DirectX-Headers (directx/d3d12.h and wsl/stubs/unknwn.h) \
must be installed, for example as Debian's directx-headers-dev (elsewhere: CMAKE_PREFIX_PATH)")
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DirectXHeaders
  REQUIRED_VARS DirectXHeaders_INCLUDE_DIR DirectXHeaders_STUBS_DIR
  REASON_FAILURE_MESSAGE "${DirectXHeaders_ADVICE}")
if(DirectXHeaders_FOUND)
  set(DirectXHeaders_INCLUDE_DIRS ${DirectXHeaders_STUBS_DIR}
      ${DirectXHeaders_INCLUDE_DIR}/directx ${DirectXHeaders_INCLUDE_DIR})
  # /usr/include named once more would come before the C++ library that leads to it.
  list(REMOVE_ITEM DirectXHeaders_INCLUDE_DIRS ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES}
       ${CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES})
endif()
