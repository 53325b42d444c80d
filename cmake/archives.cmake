# fugu_archive(VARIABLE name): sets VARIABLE to libname.a when its code can stand inside a shared module, hidden there, and
# notes it in FUGU_ARCHIVES; leaves VARIABLE for the usual search when there is no such archive. Distributions differ in
# whether their archives hold position-independent code, so the linker is asked.
function(fugu_archive variable name)
  find_library(FUGU_ARCHIVE_${name} lib${name}.a)
  if(FUGU_ARCHIVE_${name} AND NOT DEFINED FUGU_ARCHIVE_${name}_LINKS)
    execute_process(
      COMMAND ${CMAKE_CXX_COMPILER} -shared -o ${CMAKE_BINARY_DIR}/archive.so -Wl,-Bsymbolic -Wl,--exclude-libs,ALL
              -Wl,--whole-archive ${FUGU_ARCHIVE_${name}} -Wl,--no-whole-archive
      RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    file(REMOVE ${CMAKE_BINARY_DIR}/archive.so)
    if(status EQUAL 0)
      set(links ON)
    else()
      set(links OFF)
    endif()
    set(FUGU_ARCHIVE_${name}_LINKS ${links} CACHE INTERNAL "lib${name}.a can stand inside a shared module")
  endif()
  if(FUGU_ARCHIVE_${name}_LINKS)
    set(${variable} ${FUGU_ARCHIVE_${name}} CACHE FILEPATH "lib${name}, linked in" FORCE)
    set(FUGU_ARCHIVES ${FUGU_ARCHIVES} ${FUGU_ARCHIVE_${name}} PARENT_SCOPE)
  endif()
endfunction()
