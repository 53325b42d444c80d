#include "fugu/file/file_kind.h"

#include <fmt/format.h>

namespace fugu::inline in_file {
namespace {

using namespace std::string_view_literals;

// Where letters begin a file, so much follows that no header of a table begins so.
struct FileKind {
  std::string_view beginning;
  const char* what;
  const char* hint;
};

constexpr const char* kSaveAsText = "save the table as CSV in UTF-8";
constexpr const char* kToUtf8 = "save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8";
constexpr const char* kUnpack = "unpack it first; fugu reads gzip and zstd files directly";

constexpr FileKind kFileKinds[] = {
    {"PK\x03\x04"sv, "a zip archive or an Excel workbook (xlsx)",
     "save the sheet as CSV in UTF-8, or unpack the archive"},
    {"\xD0\xCF\x11\xE0"sv, "an old Excel workbook (xls)", "save the sheet as CSV in UTF-8"},
    {"\x89PNG"sv, "a picture (PNG)", kSaveAsText},
    {"\xFF\xD8\xFF"sv, "a picture (JPEG)", kSaveAsText},
    {"%PDF"sv, "a PDF document", kSaveAsText},
    {"PAR1\x15"sv, "a Parquet file",
     "release it with fugu.release_file of the Python package, or save it as CSV"},
    {"ARROW1\0\0"sv, "an Arrow file", "read it in Python, where fugu takes Arrow tables, or save it as CSV"},
    {"SQLite format 3"sv, "a SQLite database", "give it as sqlite:FILE, with --table or --query"},
    {"BZh91AY&SY"sv, "compressed with bzip2", kUnpack},
    {"\xFD"
     "7zXZ"sv,
     "compressed with xz", kUnpack},
    {"7z\xBC\xAF"sv, "a 7z archive", kUnpack},
    {"\xFF\xFE"sv, "UTF-16", kToUtf8},
    {"\xFE\xFF"sv, "UTF-16", kToUtf8},
};

}  // namespace

void check_is_text(std::string_view beginning, const std::string& name) {
  for (const FileKind& kind : kFileKinds) {
    if (beginning.starts_with(kind.beginning))
      throw Error(ErrorKind::kData, fmt::format("{}: this is {}, not a table of text", name, kind.what),
                  kind.hint);
  }
  // UTF-16 without its mark: every other byte of plain letters is NUL.
  if (beginning.size() >= 4 &&
      ((beginning[1] == 0 && beginning[3] == 0) || (beginning[0] == 0 && beginning[2] == 0)))
    throw Error(ErrorKind::kData, fmt::format("{}: this is UTF-16, not a table of text", name), kToUtf8);
}

}  // namespace fugu::inline in_file
