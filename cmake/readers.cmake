# What reads, sanitized (the preset readers): a replay of every kept input and 3 seconds of fuzzing for each reader, and in
# long runs its unit tests. They run in this build's ctest from build-readers, which the first of them brings up to date.
set(built ${PROJECT_SOURCE_DIR}/build-readers)
add_test(NAME fuzz/build COMMAND ${PROJECT_SOURCE_DIR}/scripts/build-readers fuzzers --quiet)
set_tests_properties(fuzz/build PROPERTIES FIXTURES_SETUP fuzzers TIMEOUT 3600)
add_test(NAME readers/build COMMAND ${PROJECT_SOURCE_DIR}/scripts/build-readers readers --quiet)
set_tests_properties(readers/build PROPERTIES FIXTURES_SETUP readers FIXTURES_REQUIRED fuzzers TIMEOUT 3600 LABELS long)

foreach(room core file table csv arrow database scenario count models ask studio)
  add_test(NAME readers/${room} COMMAND ${built}/${room}_test)
  set_tests_properties(readers/${room} PROPERTIES FIXTURES_REQUIRED readers TIMEOUT 900 LABELS long)
endforeach()

set(run ${FUGU_PYTHON} -B ${PROJECT_SOURCE_DIR}/tests/fuzz/run.py)
file(GLOB fuzzers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/tests/fuzz ${PROJECT_SOURCE_DIR}/tests/fuzz/*_fuzz.cc)
foreach(fuzzer ${fuzzers})
  string(REPLACE "_fuzz.cc" "" reader ${fuzzer})
  add_test(NAME fuzz/${reader}_kept COMMAND ${run} replay ${reader})
  add_test(NAME fuzz/${reader} COMMAND ${run} short ${reader} 3)
  list(APPEND of_fuzzers fuzz/${reader}_kept fuzz/${reader})
endforeach()
set_tests_properties(${of_fuzzers} PROPERTIES FIXTURES_REQUIRED fuzzers TIMEOUT 900)
