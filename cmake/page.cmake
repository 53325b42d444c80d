# The pages (page/, TypeScript): npm installs what builds them, once for each lock file; esbuild bundles them; the bundles
# become bytes in the program. Target page_assets.
find_program(FUGU_NODE node)
find_program(FUGU_NPM npm)
foreach(tool NODE NPM)
  if(NOT FUGU_${tool})
    string(TOLOWER ${tool} name)
    message(FATAL_ERROR "fugu: ${name} is missing: the report's page is built with Node.js (18 or newer) and npm\n"
                        "hint: apt-get install nodejs npm, or put a newer Node.js on the PATH")
  endif()
endforeach()

set(page ${PROJECT_SOURCE_DIR}/page)
set(page_out ${CMAKE_BINARY_DIR}/page)
set(page_modules ${page}/node_modules/.installed)  # beside what it stands for: every build directory shares it
add_custom_command(
  OUTPUT ${page_modules}
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/npm-ci ${FUGU_NPM} ${page} ${page_modules}
  DEPENDS ${page}/package.json ${page}/package-lock.json ${page}/.npmrc ${PROJECT_SOURCE_DIR}/scripts/npm-ci
  COMMENT "Installing what the pages are built with"
  VERBATIM)

set(page_bundles ${page_out}/report.js ${page_out}/report.css ${page_out}/studio.js ${page_out}/studio.css)
file(GLOB page_sources CONFIGURE_DEPENDS ${page}/src/*.ts ${page}/src/*.css)
add_custom_command(
  OUTPUT ${page_bundles}
  COMMAND ${FUGU_NODE} ${page}/build.mjs ${page_out}
  DEPENDS ${page_modules} ${page}/build.mjs ${page_sources}
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
