# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
#
# Run by CPack between installing the packages' files and packing them: puts the list of
# parts (tools/make_sbom) beside the files that it describes.
function(anydml_add_sbom package file)
  set(folder ${CPACK_TEMPORARY_DIRECTORY}/${package}/usr)
  set(documents ${folder}/share/doc/${package})
  file(MAKE_DIRECTORY ${documents})
  execute_process(
    COMMAND ${CPACK_ANYDML_SBOM} ${documents}/anydml.spdx.json ${folder}/${file}
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

anydml_add_sbom(libanydml0 ${CPACK_ANYDML_LIBRARY})
if(CPACK_ANYDML_CUDA_LIBRARY)
  anydml_add_sbom(anydml-cuda ${CPACK_ANYDML_CUDA_LIBRARY})
endif()
anydml_add_sbom(anydml-tools ${CPACK_ANYDML_COMMAND})
