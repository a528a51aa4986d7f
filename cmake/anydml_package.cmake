# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# Debian packages by CPack (`make package`), one per component of anydml_install.
# Configure with the prefix /usr, so that the library goes to Debian's folder for it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME anydml)
set(CPACK_PACKAGE_VENDOR "The AnyDML authors")
# Debian's field Maintainer; who publishes the packages says here how they are reached.
set(ANYDML_PACKAGE_CONTACT "The AnyDML authors" CACHE STRING
    "Maintainer of the Debian packages: \"Name <address>\"")
set(CPACK_PACKAGE_CONTACT "${ANYDML_PACKAGE_CONTACT}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL libanydml0 libanydml-dev anydml-tools python3-anydml)
if(TARGET anydml_cuda)
  list(APPEND CPACK_COMPONENTS_ALL anydml-cuda)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(same_version "libanydml0 (= ${PROJECT_VERSION})")
set(summary "DirectML's training operators on any machine")
set(CPACK_DEBIAN_LIBANYDML0_PACKAGE_NAME libanydml0)
set(CPACK_DEBIAN_LIBANYDML0_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBANYDML0_DESCRIPTION "${summary}
The library: a C interface, and DXCore, Direct3D 12 (compute) and DirectML for
programs that are written for them.")

# Opened at run time, so nothing asks for it by its name.
set(CPACK_DEBIAN_ANYDML-CUDA_PACKAGE_NAME anydml-cuda)
set(CPACK_DEBIAN_ANYDML-CUDA_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_ANYDML-CUDA_PACKAGE_DEPENDS "${same_version}")
set(CPACK_COMPONENT_ANYDML-CUDA_DESCRIPTION "${summary} (NVIDIA devices)
Kernels for NVIDIA cards, which the library uses where a driver is installed.")

set(CPACK_DEBIAN_LIBANYDML-DEV_PACKAGE_NAME libanydml-dev)
set(CPACK_DEBIAN_LIBANYDML-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBANYDML-DEV_PACKAGE_DEPENDS "${same_version}, directx-headers-dev")
set(CPACK_COMPONENT_LIBANYDML-DEV_DESCRIPTION "${summary} (headers)
directml.h, anydml.h, a CMake package and a pkg-config file.")

set(CPACK_DEBIAN_ANYDML-TOOLS_PACKAGE_NAME anydml-tools)
set(CPACK_DEBIAN_ANYDML-TOOLS_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_ANYDML-TOOLS_PACKAGE_SUGGESTS "python3-anydml, python3-onnx")
set(CPACK_COMPONENT_ANYDML-TOOLS_DESCRIPTION "${summary} (command)
The command anydml, which runs, checks, explains, draws and times operators that
JSON files describe.")

set(CPACK_DEBIAN_PYTHON3-ANYDML_PACKAGE_NAME python3-anydml)
set(CPACK_DEBIAN_PYTHON3-ANYDML_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON3-ANYDML_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON3-ANYDML_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON3-ANYDML_PACKAGE_DEPENDS "python3 (>= 3.9), ${same_version}")
set(CPACK_DEBIAN_PYTHON3-ANYDML_PACKAGE_RECOMMENDS "python3-numpy")
set(CPACK_DEBIAN_PYTHON3-ANYDML_PACKAGE_SUGGESTS "python3-torch, python3-onnx")
set(CPACK_DEBIAN_PYTHON3-ANYDML_PACKAGE_CONTROL_EXTRA
    "${PROJECT_SOURCE_DIR}/packaging/debian/prerm")
set(CPACK_COMPONENT_PYTHON3-ANYDML_DESCRIPTION "${summary} (Python)
Every operator as a function on NumPy arrays and PyTorch tensors, and layers for
PyTorch.")

# The parts of each package with its own files, as they are shipped: after stripping.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/anydml_sbom.cmake)
set(CPACK_ANYDML_SBOM ${PROJECT_SOURCE_DIR}/tools/make_sbom ${PROJECT_BINARY_DIR})
set(CPACK_ANYDML_LIBRARY ${CMAKE_INSTALL_LIBDIR}/libanydml.so.${PROJECT_VERSION})
if(TARGET anydml_cuda)
  set(CPACK_ANYDML_CUDA_LIBRARY ${CMAKE_INSTALL_LIBDIR}/libanydml_cuda.so)
endif()
set(CPACK_ANYDML_COMMAND ${CMAKE_INSTALL_BINDIR}/anydml)
include(CPack)
