# What `make install` puts under PREFIX: the program, its man page and completions, the rooms as static libraries,
# their headers, and a CMake package so that find_package(fugu) gives fugu::fugu.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The man page and the completions are made by the program itself, so they cannot go stale.
set(pages ${CMAKE_BINARY_DIR}/pages)
add_custom_command(
  OUTPUT ${pages}/fugu.1 ${pages}/fugu ${pages}/_fugu ${pages}/fugu.fish
  COMMAND ${CMAKE_COMMAND} -E make_directory ${pages}
  COMMAND fugu --man > ${pages}/fugu.1
  COMMAND fugu completion bash > ${pages}/fugu
  COMMAND fugu completion zsh > ${pages}/_fugu
  COMMAND fugu completion fish > ${pages}/fugu.fish
  DEPENDS fugu
  VERBATIM)
add_custom_target(fugu_pages ALL DEPENDS ${pages}/fugu.1)

get_property(rooms GLOBAL PROPERTY FUGU_ROOMS)
add_library(fugu_library INTERFACE)
target_link_libraries(fugu_library INTERFACE ${rooms})
set_target_properties(fugu_library PROPERTIES EXPORT_NAME fugu)
set_target_properties(fugu_flags PROPERTIES EXPORT_NAME flags)
add_custom_target(fugu_install DEPENDS fugu fugu_pages ${rooms})

# Outside libraries are found again where fugu is used: by name, not by this machine's paths. The JSON parser is all
# headers and stays inside.
get_target_property(links fugu_core INTERFACE_LINK_LIBRARIES)
list(FILTER links EXCLUDE REGEX "nlohmann_json")
foreach(name MPFI GMP)
  string(TOLOWER ${name} target)
  string(REPLACE "${${name}_LIBRARY}" "$<BUILD_INTERFACE:${${name}_LIBRARY}>;$<INSTALL_INTERFACE:fugu::${target}>" links "${links}")
endforeach()
set_target_properties(fugu_core PROPERTIES INTERFACE_LINK_LIBRARIES "${links}")

install(TARGETS fugu RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS fugu_library fugu_flags ${rooms} EXPORT fuguTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/fugu DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES ${pages}/fugu.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${pages}/fugu DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${pages}/_fugu DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${pages}/fugu.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/fugu)
install(EXPORT fuguTargets NAMESPACE fugu:: DESTINATION ${package})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/fuguConfig.cmake.in ${CMAKE_BINARY_DIR}/fuguConfig.cmake
                              INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/fuguConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/fuguConfig.cmake ${CMAKE_BINARY_DIR}/fuguConfigVersion.cmake DESTINATION ${package})
