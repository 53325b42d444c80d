# cmake -D OUT=file.cc -D FOLDER=… -P embed_page.cmake: the bundles as arrays of bytes, which cost the program's start nothing.
function(append_bytes name file)
  file(READ ${FOLDER}/${file} hex HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  file(APPEND ${OUT}.new "constexpr unsigned char ${name}[] = {\n${bytes}};\n")
endfunction()

file(WRITE ${OUT}.new "#include \"apps/page/page_assets.h\"\n\nnamespace fugu {\nnamespace {\n")
append_bytes(kReportScript report.js)
append_bytes(kReportStyle report.css)
append_bytes(kStudioScript studio.js)
append_bytes(kStudioStyle studio.css)
file(APPEND ${OUT}.new
     "template <size_t N>\nstd::string_view text(const unsigned char (&bytes)[N]) {\n"
     "  return {reinterpret_cast<const char*>(bytes), N};\n}\n"
     "}  // namespace\n\n"
     "PageAssets report_assets() { return {text(kReportScript), text(kReportStyle)}; }\n\n"
     "PageAssets studio_assets() { return {text(kStudioScript), text(kStudioStyle)}; }\n\n"
     "}  // namespace fugu\n")
file(RENAME ${OUT}.new ${OUT})
