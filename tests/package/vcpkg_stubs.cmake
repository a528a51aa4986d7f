# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
#   cmake -DPORTFILE=... -DBUILD=... -DCURRENT_PACKAGES_DIR=... -DCONFIGURE=ON -P vcpkg_stubs.cmake
#
# Runs a portfile with stand-ins for vcpkg's functions: they refuse what vcpkg's refuse, check
# what these would find, and move files as these do. Sources are configured as the port asks
# (if CONFIGURE is ON); what is installed is BUILD, a finished build, in the place of both of
# vcpkg's.
set(PORT anydml)

# Like cmake_parse_arguments, but nothing may be left.
macro(parse flags values lists)
  cmake_parse_arguments(arg "${flags}" "${values}" "${lists}" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "extra arguments ${arg_UNPARSED_ARGUMENTS}")
  endif()
endmacro()

function(must_exist)
  foreach(path IN LISTS ARGN)
    if(NOT EXISTS "${path}")
      message(FATAL_ERROR "${path} is not there")
    endif()
  endforeach()
endfunction()

function(vcpkg_check_linkage)
  parse("ONLY_STATIC_LIBRARY;ONLY_DYNAMIC_LIBRARY;ONLY_DYNAMIC_CRT;ONLY_STATIC_CRT" "" "" ${ARGN})
  if(NOT arg_ONLY_DYNAMIC_LIBRARY)
    message(FATAL_ERROR "the library is a shared one")
  endif()
endfunction()

function(vcpkg_find_acquire_program program)
  if(NOT program STREQUAL "PKGCONFIG")
    message(FATAL_ERROR "unexpected ${program}")
  endif()
  find_program(PKG_CONFIG_FOUND NAMES pkg-config pkgconf REQUIRED)
  set(PKGCONFIG ${PKG_CONFIG_FOUND} PARENT_SCOPE)
endfunction()

# No feature is asked for.
function(vcpkg_check_features)
  parse("" "OUT_FEATURE_OPTIONS" "FEATURES;INVERTED_FEATURES" ${ARGN})
  list(POP_BACK arg_FEATURES option)
  set(${arg_OUT_FEATURE_OPTIONS} -D${option}=OFF PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  parse("DISABLE_PARALLEL_CONFIGURE" "SOURCE_PATH;GENERATOR"
        "OPTIONS;OPTIONS_DEBUG;OPTIONS_RELEASE;MAYBE_UNUSED_VARIABLES" ${ARGN})
  must_exist(${arg_SOURCE_PATH}/CMakeLists.txt)
  if(NOT CONFIGURE)
    return()
  endif()
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${CURRENT_PACKAGES_DIR}-build -G Ninja
            -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_INSTALL_BINDIR=bin
            ${arg_OPTIONS} ${arg_OPTIONS_RELEASE}
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE words)
  if(failed OR words MATCHES "variables were not used by the project")
    message(FATAL_ERROR "${words}")
  endif()
endfunction()

function(vcpkg_cmake_install)
  parse("DISABLE_PARALLEL;ADD_BIN_TO_PATH" "" "" ${ARGN})
  foreach(prefix IN ITEMS ${CURRENT_PACKAGES_DIR} ${CURRENT_PACKAGES_DIR}/debug)
    execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix}
                    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endfunction()

function(vcpkg_cmake_config_fixup)
  parse("DO_NOT_DELETE_PARENT_CONFIG_PATH;NO_PREFIX_CORRECTION"
        "PACKAGE_NAME;CONFIG_PATH;TOOLS_PATH" "" ${ARGN})
  if(NOT arg_PACKAGE_NAME)
    set(arg_PACKAGE_NAME ${PORT})
  endif()
  foreach(prefix IN ITEMS ${CURRENT_PACKAGES_DIR} ${CURRENT_PACKAGES_DIR}/debug)
    set(config ${prefix}/${arg_CONFIG_PATH})
    must_exist(${config}/${arg_PACKAGE_NAME}Config.cmake ${config}/${arg_PACKAGE_NAME}Targets.cmake)
    file(COPY ${config}/ DESTINATION ${prefix}/share/${arg_PACKAGE_NAME})
    cmake_path(GET config PARENT_PATH parent)
    file(REMOVE_RECURSE ${parent})
  endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
  must_exist(${CURRENT_PACKAGES_DIR}/lib/pkgconfig/${PORT}.pc)
  set(file ${CURRENT_PACKAGES_DIR}/debug/lib/pkgconfig/${PORT}.pc)
  file(READ ${file} text)
  string(REPLACE [[${prefix}/include]] [[${prefix}/../include]] text "${text}")
  file(WRITE ${file} "${text}")
endfunction()

function(vcpkg_copy_tools)
  parse("AUTO_CLEAN" "SEARCH_DIR;DESTINATION" "TOOL_NAMES" ${ARGN})
  foreach(tool IN LISTS arg_TOOL_NAMES)
    must_exist(${CURRENT_PACKAGES_DIR}/bin/${tool})
    file(COPY ${CURRENT_PACKAGES_DIR}/bin/${tool} DESTINATION ${CURRENT_PACKAGES_DIR}/tools/${PORT})
    if(arg_AUTO_CLEAN)
      file(REMOVE ${CURRENT_PACKAGES_DIR}/bin/${tool} ${CURRENT_PACKAGES_DIR}/debug/bin/${tool})
    endif()
  endforeach()
  if(arg_AUTO_CLEAN)    # takes folders along that are empty now; rmdir leaves others alone
    execute_process(COMMAND rmdir ${CURRENT_PACKAGES_DIR}/bin ${CURRENT_PACKAGES_DIR}/debug/bin
                    ERROR_QUIET)
  endif()
endfunction()

function(vcpkg_install_copyright)
  parse("" "COMMENT" "FILE_LIST" ${ARGN})
  must_exist(${arg_FILE_LIST})
  file(COPY_FILE ${arg_FILE_LIST} ${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright)
endfunction()

include(${PORTFILE})

# What vcpkg looks for in a package that is finished.
must_exist(${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright
           ${CURRENT_PACKAGES_DIR}/share/${PORT}/usage
           ${CURRENT_PACKAGES_DIR}/share/${PORT}/${PORT}Config.cmake
           ${CURRENT_PACKAGES_DIR}/include/directml.h
           ${CURRENT_PACKAGES_DIR}/lib/libanydml.so ${CURRENT_PACKAGES_DIR}/debug/lib/libanydml.so
           ${CURRENT_PACKAGES_DIR}/tools/${PORT}/anydml)
foreach(left IN ITEMS debug/include debug/share bin debug/bin lib/cmake debug/lib/cmake)
  if(EXISTS ${CURRENT_PACKAGES_DIR}/${left})
    message(FATAL_ERROR "${left} is left behind")
  endif()
endforeach()
find_program(pkg_config NAMES pkg-config pkgconf REQUIRED)
foreach(folder IN ITEMS lib debug/lib)
  set(ENV{PKG_CONFIG_PATH} ${CURRENT_PACKAGES_DIR}/${folder}/pkgconfig)
  foreach(variable IN ITEMS includedir libdir)
    execute_process(COMMAND ${pkg_config} --variable=${variable} ${PORT}
                    OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE
                    COMMAND_ERROR_IS_FATAL ANY)
    must_exist(${path})
  endforeach()
endforeach()
