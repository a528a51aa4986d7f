# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# What `cmake --install` puts where, by the Debian package that it belongs to:
#   libanydml0       the library, and the names that DirectML's programs load
#   anydml-cuda      libanydml_cuda.so, which the library opens where it lies beside it
#   libanydml-dev    headers, a CMake package, a pkg-config file
#   anydml-tools     the command
#   python3-anydml   the Python package; only when asked for, since pip has its own way
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The list that `sudo cmake --install` leaves behind belongs to root, and later runs of the
# user, such as those of the tests, could not write over it.
if(PROJECT_IS_TOP_LEVEL)
  install(CODE "file(REMOVE \"${PROJECT_BINARY_DIR}/install_manifest.txt\")" ALL_COMPONENTS)
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/anydml)
install(TARGETS anydml anydml_headers EXPORT anydmlTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  COMPONENT libanydml0 NAMELINK_COMPONENT libanydml-dev)
if(TARGET anydml_cuda)
  install(TARGETS anydml_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT anydml-cuda)
endif()
install(DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/directml DESTINATION ${CMAKE_INSTALL_LIBDIR}
  COMPONENT libanydml0)

install(EXPORT anydmlTargets NAMESPACE anydml:: DESTINATION ${package_folder}
  COMPONENT libanydml-dev)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/anydmlConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/anydmlConfig.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindDirectXHeaders.cmake
  ${PROJECT_BINARY_DIR}/anydmlConfigVersion.cmake DESTINATION ${package_folder}
  COMPONENT libanydml-dev)
# Relative to the file itself, so that an installed tree can be moved. Headers hang on
# `prefix`, because vcpkg's libraries for debugging have theirs elsewhere and say so there.
file(RELATIVE_PATH PC_TO_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" PC_TO_PREFIX "${PC_TO_PREFIX}")
file(RELATIVE_PATH PC_INCLUDE ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(${PROJECT_SOURCE_DIR}/cmake/anydml.pc.in ${PROJECT_BINARY_DIR}/anydml.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/anydml.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT libanydml-dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT libanydml-dev PATTERN *.md EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/include/anydml/operators.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/anydml COMPONENT libanydml-dev)

if(TARGET anydml_tool)
  install(TARGETS anydml_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT anydml-tools)
  install(FILES ${PROJECT_SOURCE_DIR}/tools/anydml/completion.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME anydml
    COMPONENT anydml-tools)
  install(FILES ${PROJECT_SOURCE_DIR}/tools/anydml/anydml.1
    DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT anydml-tools)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/models DESTINATION ${CMAKE_INSTALL_DATADIR}/anydml
    COMPONENT anydml-tools)
endif()

# Each part carries the licence, under the name that Debian gives it.
foreach(component libanydml0 anydml-cuda libanydml-dev anydml-tools python3-anydml)
  set(when "")
  if(component STREQUAL "python3-anydml")
    set(when EXCLUDE_FROM_ALL)
  elseif((component STREQUAL "anydml-tools" AND NOT TARGET anydml_tool) OR
      (component STREQUAL "anydml-cuda" AND NOT TARGET anydml_cuda))
    continue()
  endif()
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright COMPONENT ${component} ${when}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${component})
endforeach()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/anydml DESTINATION lib/python3/dist-packages
  COMPONENT python3-anydml EXCLUDE_FROM_ALL
  PATTERN __pycache__ EXCLUDE)
