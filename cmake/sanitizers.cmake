# fugu_watch(program): a build with the thread sanitizer links in what tells it of TBB.
function(fugu_watch program)
  if(TARGET fugu_watched_tbb)
    target_link_libraries(${program} PRIVATE fugu_watched_tbb)
  endif()
endfunction()

set(FUGU_TEST_SECONDS 900)
# In builds with a sanitizer every ctest sets that sanitizer's options, and FUGU_SANITIZED for tests that must know. Other
# people's libraries are not compiled with it: what they do to it is listed in tests/*-suppressions.txt.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize=([a-z]+)")
  return()
endif()
set(sanitizer ${CMAKE_MATCH_1})
set(FUGU_TEST_SECONDS 3600)
set(environment ${CMAKE_BINARY_DIR}/sanitizers.cmake)
file(WRITE ${environment} "set(ENV{FUGU_SANITIZED} ${sanitizer})
set(ENV{ASAN_OPTIONS} detect_stack_use_after_return=1:strict_string_checks=1)
set(ENV{LSAN_OPTIONS} suppressions=${PROJECT_SOURCE_DIR}/tests/leak-suppressions.txt:print_suppressions=0)
set(ENV{UBSAN_OPTIONS} print_stacktrace=1)
set(ENV{TSAN_OPTIONS} suppressions=${PROJECT_SOURCE_DIR}/tests/thread-suppressions.txt:print_suppressions=0:halt_on_error=1)
")
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY TEST_INCLUDE_FILES ${environment})

if(sanitizer STREQUAL "thread")
  add_library(fugu_watched_tbb OBJECT ${PROJECT_SOURCE_DIR}/tests/support/watched_tbb.cc)
  target_link_libraries(fugu_watched_tbb PUBLIC TBB::tbb ${CMAKE_DL_LIBS})
endif()
