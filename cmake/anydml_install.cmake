# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# What `cmake --install` puts where: the library, its headers, a CMake package, a
# pkg-config file, the names that DirectML's programs load, the command.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/anydml)
install(TARGETS anydml anydml_headers EXPORT anydmlTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT anydmlTargets NAMESPACE anydml:: DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/anydmlConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/anydmlConfig.cmake
  ${CMAKE_BINARY_DIR}/anydmlConfigVersion.cmake DESTINATION ${package_folder})
# Relative to the file itself, so that an installed tree can be moved.
file(RELATIVE_PATH PC_TO_INCLUDE ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(${PROJECT_SOURCE_DIR}/cmake/anydml.pc.in ${CMAKE_BINARY_DIR}/anydml.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/anydml.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/directml DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS anydml_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PROJECT_SOURCE_DIR}/tools/anydml/completion.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME anydml)
