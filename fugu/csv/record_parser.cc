#include "fugu/csv/record_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "fugu/core/error.h"

namespace fugu::inline in_csv {
namespace {

std::string count_of_fields(size_t count) { return fmt::format("{} field{}", count, count == 1 ? "" : "s"); }

Error ragged(uint64_t line, size_t fields, const CsvLayout& layout) {
  std::string separator = layout.separator == '\t' ? "a tab" : fmt::format("'{}'", layout.separator);
  return Error(ErrorKind::kData,
               fmt::format("line {} has {}, not {}", line, count_of_fields(fields), layout.columns),
               fmt::format("every line must have as many fields as the first; the separator is {}, and a "
                           "field that holds one must be quoted",
                           separator));
}

Error nul_byte(uint64_t line) {
  return Error(ErrorKind::kData, fmt::format("line {} has a NUL byte", line),
               "the file must be text; save it as CSV in UTF-8");
}

Error stray_after_quote(uint64_t line) {
  return Error(
      ErrorKind::kData, fmt::format("line {} has text after a closing quote", line),
      "write a quote inside a quoted field twice (\"\"), and end the field right after the closing quote");
}

Error unterminated(uint64_t line) {
  return Error(ErrorKind::kData, fmt::format("line {} opens a quote that is never closed", line),
               "close it, or write a quote inside a quoted field twice (\"\")");
}

Error stray_return(uint64_t line) {
  return Error(ErrorKind::kData,
               fmt::format("line {} has a carriage return that does not end the line", line),
               "quote the field that holds it, or convert the line ends to LF or CRLF");
}

}  // namespace

RecordParser::RecordParser(CsvLayout layout) : layout_(std::move(layout)) {
  for (size_t slot = 0; slot < layout_.wanted.size(); ++slot) wants_.push_back({layout_.wanted[slot], slot});
  std::sort(wants_.begin(), wants_.end(), [](const Want& a, const Want& b) { return a.column < b.column; });
  wants_.push_back({std::numeric_limits<size_t>::max(), 0});
}

void RecordParser::start(std::string_view block, uint64_t line, bool last) {
  begin_ = at_ = resumes_ = block.data();
  end_ = begin_ + block.size();
  scan_ = SpecialScan(begin_, end_, layout_.separator);
  line_ = line;
  last_ = last;
}

bool RecordParser::all_blank(const char* from, const char* to) const {
  return std::all_of(from, to, [this](char c) { return is_blank(c); });
}

std::string_view RecordParser::trim(const char* from, const char* to) const {
  while (from != to && is_blank(*from)) ++from;
  while (from != to && is_blank(to[-1])) --to;
  return {from, static_cast<size_t>(to - from)};
}

// Looks past blanks and line ends, and remembers how far, so that many blank lines cost one look.
bool RecordParser::only_blank_lines_left() {
  if (at_ < resumes_) return false;
  resumes_ = std::find_if(at_, end_, [this](char c) { return c != '\n' && c != '\r' && !is_blank(c); });
  return resumes_ == end_;
}

bool RecordParser::next(Record& record) {
  if (at_ == end_) return false;
  if ((*at_ == '\n' || *at_ == '\r' || is_blank(*at_)) && only_blank_lines_left()) {
    if (last_) at_ = end_;
    return false;
  }
  record.line = line_;
  record.fields.resize(layout_.wanted.size());
  lines_inside_ = 0;
  want_ = wants_.data();
  size_t column = 0;
  for (const char* field = at_;; field = field_end_ + 1, ++column) {
    Ending ending = read_field(field, column, record);
    if (ending == Ending::kSeparator) continue;
    if (ending == Ending::kUnfinished) return false;
    break;
  }
  if (layout_.columns != 0 && column + 1 != layout_.columns) throw ragged(line_, column + 1, layout_);
  record.raw = {at_, static_cast<size_t>(record_end_ - at_)};
  at_ = record_next_;
  line_ += lines_inside_ + 1;
  return true;
}

RecordParser::Ending RecordParser::read_field(const char* begin, size_t column, Record& record) {
  const char* at = scan_.next();
  bool quoted = false, doubled = false;
  std::string_view text;
  while (at != end_ && *at == '"') {
    if (!quoted && all_blank(begin, at)) {
      quoted = true;
      at = skip_quoted(at, text, doubled);
      if (!at) return Ending::kUnfinished;
    } else {
      at = scan_.next();
    }
  }
  Ending ending = Ending::kSeparator;
  if (at == end_ || *at != layout_.separator) {
    ending = end_line(at);
    if (ending == Ending::kUnfinished) return ending;
  }
  field_end_ = at;
  bool all = layout_.columns == 0;
  if (column != want_->column && !all) return ending;
  if (!quoted) text = trim(begin, at);
  if (doubled) text = unescape(text, all ? column : want_->slot);
  Field field{text, {begin, static_cast<size_t>(at - begin)}};
  if (all) record.fields.push_back(field);
  for (; want_->column == column; ++want_) record.fields[want_->slot] = field;
  return ending;
}

// From an opening quote past its closing one to the special byte that ends the field; nullptr when the block
// ends first.
const char* RecordParser::skip_quoted(const char* open, std::string_view& text, bool& doubled) {
  uint64_t opened_on = line_ + lines_inside_;
  for (;;) {
    const char* at = scan_.next();
    if (at == end_) {
      if (last_) throw unterminated(opened_on);
      return nullptr;
    }
    if (*at == '\n') ++lines_inside_;
    if (*at == '\0') throw nul_byte(line_ + lines_inside_);
    if (*at != '"') continue;
    if (at + 1 == end_ && !last_) return nullptr;
    if (at + 1 != end_ && at[1] == '"') {
      doubled = true;
      scan_.next();
      continue;
    }
    text = {open + 1, static_cast<size_t>(at - open) - 1};
    const char* stop = scan_.next();
    if (!all_blank(at + 1, stop) || (stop != end_ && *stop == '"'))
      throw stray_after_quote(line_ + lines_inside_);
    return stop;
  }
}

// `at` is where the text of the last field ends: an LF, CRs and an LF, or the end of the file.
RecordParser::Ending RecordParser::end_line(const char* at) {
  record_end_ = at;
  while (at != end_ && *at == '\r') at = scan_.next();
  if (at == end_) {
    if (!last_) return Ending::kUnfinished;
    if (std::any_of(record_end_, end_, [](char c) { return c != '\r'; }))
      throw stray_return(line_ + lines_inside_);
    record_next_ = end_;
    return Ending::kRecord;
  }
  if (*at == '\0') throw nul_byte(line_ + lines_inside_);
  if (*at != '\n' || std::any_of(record_end_, at, [](char c) { return c != '\r'; })) {
    throw stray_return(line_ + lines_inside_);
  }
  record_next_ = at + 1;
  return Ending::kRecord;
}

std::string_view RecordParser::unescape(std::string_view text, size_t slot) {
  if (unescaped_.size() <= slot) unescaped_.resize(slot + 1);
  std::string& plain = unescaped_[slot];
  plain.clear();
  plain.reserve(Field::kReadable);
  for (size_t k = 0; k < text.size(); ++k) {
    plain += text[k];
    if (text[k] == '"') ++k;
  }
  return plain;
}

Error record_too_long(uint64_t line, size_t limit) {
  return Error(ErrorKind::kData, fmt::format("line {} begins a record of more than {} bytes", line, limit),
               "a quote may have been opened and never closed");
}

char detect_separator(std::string_view sample, bool whole) {
  constexpr size_t kRecords = 10;
  struct Score {
    bool agree = false;
    size_t fields = 0;
  };
  auto score = [&](char separator) {
    Score result;
    RecordParser parser(CsvLayout{.separator = separator});
    parser.start(sample, 1, whole);
    Record record;
    try {
      if (!parser.next(record)) {  // one record longer than the sample
        parser.start(sample, 1, true);
        if (!parser.next(record)) return result;
      }
      result = {true, record.fields.size()};
      for (size_t k = 1; k < kRecords && parser.next(record); ++k) {
        result.agree = result.agree && record.fields.size() == result.fields;
      }
    } catch (const Error&) {  // the reader will say what is wrong, with the separator that is chosen
      result = {false, result.fields > 0 ? result.fields : record.fields.size() + 1};
    }
    return result;
  };
  char best = ',';
  std::optional<Score> best_score;
  for (char separator : {',', ';', '\t'}) {
    Score candidate = score(separator);
    bool splits = candidate.agree && candidate.fields > 1;
    bool best_splits = best_score && best_score->agree && best_score->fields > 1;
    if (!best_score || (splits && !best_splits) ||
        (splits == best_splits && candidate.fields > best_score->fields)) {
      best = separator;
      best_score = candidate;
    }
  }
  return best;
}

}  // namespace fugu::inline in_csv
