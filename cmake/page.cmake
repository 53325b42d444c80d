# The pages (page/, TypeScript): esbuild bundles them, and the bundles become bytes in the program. Target page_assets.
find_program(FUGU_ESBUILD esbuild)
if(NOT FUGU_ESBUILD)
  message(FATAL_ERROR "fugu: esbuild is missing: it bundles the pages of the report and the studio\n"
                      "hint: apt-get install esbuild")
endif()

set(page ${PROJECT_SOURCE_DIR}/page)
set(page_out ${CMAKE_BINARY_DIR}/page)
set(FUGU_BUNDLE ${FUGU_ESBUILD} --bundle --target=es2020 --charset=ascii --log-level=warning)
set(page_bundles ${page_out}/report.js ${page_out}/report.css ${page_out}/studio.js ${page_out}/studio.css)
file(GLOB page_sources CONFIGURE_DEPENDS ${page}/src/*.ts ${page}/src/*.css)
add_custom_command(
  OUTPUT ${page_bundles}
  COMMAND ${FUGU_BUNDLE} src/report.ts src/studio.ts --format=iife --minify --legal-comments=none --outdir=${page_out}
  COMMAND ${FUGU_BUNDLE} src/report.css src/studio.css --minify --outdir=${page_out}
  WORKING_DIRECTORY ${page}
  DEPENDS ${page_sources}
  COMMENT "Bundling the pages"
  VERBATIM)

set(page_bytes ${page_out}/page_assets.cc)
add_custom_command(
  OUTPUT ${page_bytes}
  COMMAND ${CMAKE_COMMAND} -D OUT=${page_bytes} -D FOLDER=${page_out} -P ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
  DEPENDS ${page_bundles} ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
  VERBATIM)
add_library(page_assets STATIC ${page_bytes})
target_link_libraries(page_assets PUBLIC fugu_report)
