#include "fugu/table/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "fugu/core/error.h"
#include "fugu/core/number.h"
#include "fugu/table/utf8.h"

namespace fugu {
namespace {

constexpr size_t kSampleSize = size_t{64} << 10;  // what the separator is detected from

void refuse_compressed(std::string_view beginning, const std::string& name) {
  const char* kind = beginning.starts_with("\x1f\x8b")           ? "gzip"
                     : beginning.starts_with("\x28\xb5\x2f\xfd") ? "zstd"
                                                                 : nullptr;
  if (!kind) return;
  throw Error(ErrorKind::kUsage, fmt::format("{}: this is a {} file", name, kind),
              fmt::format("decompress it first, for example with {} -d", kind));
}

void check_separator(char separator) {
  if (!std::strchr("\"\r\n ", separator)) return;  // the search finds NUL too
  throw Error(ErrorKind::kUsage, "--separator: a quote, a space, a line end or NUL cannot separate fields",
              "give one character such as , or ; or a tab");
}

// A column's number as people write it; nullopt for anything else.
std::optional<size_t> parse_column_number(const std::string& text) {
  size_t number = 0;
  const char* end = text.data() + text.size();
  auto [stop, code] = std::from_chars(text.data(), end, number);
  if (code != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

CsvReader::CsvReader(const std::string& path, const CsvOptions& options, Progress progress)
    : source_(path), options_(options), progress_(std::move(progress)) {
  if (options_.separator) check_separator(*options_.separator);
  buffer_.resize(std::max<size_t>(options_.block_size, 1));
  fill_to(4);
  refuse_compressed(rest(), name());
  if (rest().starts_with("\xEF\xBB\xBF")) begin_ += 3;
  if (options_.separator) {
    separator_ = *options_.separator;
  } else {
    fill_to(kSampleSize);
    separator_ = detect_separator(rest().substr(0, kSampleSize), at_end_ && rest().size() <= kSampleSize);
  }
  read_first_record(options_.header);
}

// Moves the unread bytes to the front and reads more behind them; doubles the buffer when they fill half of
// it.
void CsvReader::refill() {
  size_t kept = end_ - begin_;
  std::memmove(buffer_.data(), buffer_.data() + begin_, kept);
  begin_ = 0;
  end_ = kept;
  if (kept * 2 > buffer_.size()) buffer_.resize(buffer_.size() * 2);
  size_t count = source_.read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += count;
  at_end_ = count == 0;
  report(progress_, source_.fraction(), "reading the table");
}

void CsvReader::fill_to(size_t size) {
  while (!at_end_ && end_ - begin_ < size) refill();
}

void CsvReader::read_first_record(bool header) {
  parser_ = RecordParser(CsvLayout{.separator = separator_});
  parser_.start(rest(), line_, at_end_);
  Record record;
  if (!next(record)) {
    throw Error(ErrorKind::kData, name() + ": the file is empty", "give a table with at least one row");
  }
  columns_ = record.fields.size();
  if (!header) return;
  for (const Field& field : record.fields) header_.emplace_back(field.text);
  begin_ += parser_.consumed();
  line_ = parser_.line();
}

void CsvReader::select(std::vector<size_t> columns) {
  parser_ = RecordParser({.separator = separator_, .columns = columns_, .wanted = std::move(columns)});
  parser_.start(rest(), line_, at_end_);
}

bool CsvReader::next(Record& record) {
  try {
    while (!parser_.next(record)) {
      if (at_end_) return false;
      begin_ += parser_.consumed();
      line_ = parser_.line();
      if (end_ - begin_ > options_.max_record_size) {
        throw Error(
            ErrorKind::kData,
            fmt::format("line {} begins a record of more than {} bytes", line_, options_.max_record_size),
            "a quote may have been opened and never closed");
      }
      refill();
      parser_.start(rest(), line_, at_end_);
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kData) throw error.at(name());
    throw;
  }
  return true;
}

size_t CsvReader::column(const std::string& text, const std::string& option) const {
  auto named = std::find(header_.begin(), header_.end(), text);
  if (named != header_.end()) {
    auto again = std::find(named + 1, header_.end(), text);
    if (again == header_.end()) return static_cast<size_t>(named - header_.begin());
    throw Error(ErrorKind::kUsage, fmt::format("{}: {} has several columns named '{}'", option, name(), text),
                fmt::format("give the number of one, such as {} or {}", named - header_.begin() + 1,
                            again - header_.begin() + 1));
  }
  auto number = parse_column_number(text);
  if (number && *number >= 1 && *number <= columns_) return *number - 1;
  throw Error(ErrorKind::kUsage, fmt::format("{}: {} has no column '{}'", option, name(), text),
              column_list());
}

std::string CsvReader::column_list() const {
  constexpr size_t kShown = 40;
  if (header_.empty()) {
    return columns_ == 1 ? "without a header there is only column 1"
                         : fmt::format("without a header columns are numbers, here 1 to {}", columns_);
  }
  // Numbers among the names: this is data, which is nobody's business, taken for a header.
  if (std::count_if(header_.begin(), header_.end(),
                    [](const std::string& name) { return looks_like_decimal(name); }) > 1) {
    return fmt::format("the table has {} columns; if its first line is data, give --no-header and a number",
                       columns_);
  }
  std::vector<std::string> names;
  for (size_t k = 0; k < std::min(columns_, kShown); ++k) {
    names.push_back(is_printable(header_[k]) && !header_[k].empty() ? header_[k] : std::to_string(k + 1));
  }
  if (columns_ > kShown) names.push_back(fmt::format("and {} more", columns_ - kShown));
  return fmt::format("the columns are: {}", fmt::join(names, ", "));
}

std::string CsvReader::column_text(size_t column) const {
  std::string number = std::to_string(column + 1);
  if (header_.empty()) return number;
  const std::string& text = header_[column];
  if (!is_utf8(text)) {
    throw Error(ErrorKind::kData, fmt::format("{}: the name of column {} is not UTF-8", name(), number),
                "save the file as UTF-8");
  }
  if (!text.empty() && std::count(header_.begin(), header_.end(), text) == 1) return text;
  if (std::find(header_.begin(), header_.end(), number) == header_.end()) return number;
  throw Error(
      ErrorKind::kUsage,
      fmt::format("{}: column {} has no name of its own, and another is named '{}'", name(), number, number),
      "give the column a name of its own in the file");
}

std::string CsvReader::column_place(size_t column) const {
  bool named = !header_.empty() && !header_[column].empty() && is_printable(header_[column]);
  return named ? fmt::format("column '{}'", header_[column]) : fmt::format("column {}", column + 1);
}

}  // namespace fugu
