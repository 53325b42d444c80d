#include "fugu/csv/mark_scan.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace fugu {
namespace {

struct Found {
  std::vector<size_t> marks;
  size_t line_ends = 0;
  bool operator==(const Found&) const = default;
};

Found found_by(const BlockCode& code, const std::string& text, char separator) {
  std::string padded = text + std::string(kBlockSize, '"');
  MarkScan scan(padded.data(), padded.data() + text.size(), separator, code);
  Found found;
  std::vector<uint32_t> marks(MarkScan::kMostMarks);
  for (bool more = true; more;) {
    MarkScan::Run run = scan.next(marks.data());
    found.marks.insert(found.marks.end(), marks.begin(), marks.begin() + static_cast<ptrdiff_t>(run.marks));
    found.line_ends += run.line_ends;
    more = run.more;
  }
  return found;
}

bool regular_record(std::string_view record, char separator) {
  if (record.find('\0') != std::string_view::npos) return false;
  for (size_t k = 0; k <= record.size(); ++k) {
    if (k == record.size() || record[k] != '"') {
      size_t end = std::min(record.find(separator, k), record.size());
      if (record.substr(k, end - k).find_first_of("\"\r") != std::string_view::npos) return false;
      k = end;
      continue;
    }
    for (++k; k < record.size() && (record[k] != '"' || record.substr(k + 1).starts_with('"')); ++k) {
      if (record[k] == '"') ++k;
    }
    ++k;
    if (k > record.size() || (k < record.size() && record[k] != separator)) return false;
  }
  return true;
}

// Record by record: the marks up to the first that is not regular.
Found expected_of(const std::string& text, char separator) {
  Found found;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;
    std::string_view record = std::string_view(text).substr(begin, end - begin);
    if (record.ends_with('\r')) record.remove_suffix(1);
    if (record.find('\r') != std::string_view::npos || !regular_record(record, separator)) break;
    bool inside = false;
    for (size_t k = 0; k < record.size(); ++k) {
      inside ^= record[k] == '"';
      if (record[k] == separator && !inside) found.marks.push_back(begin + k);
    }
    found.marks.push_back(end);
    ++found.line_ends;
    begin = end + 1;
  }
  return found;
}

// Where a record is not regular, the scan stops at most a block before it.
void check(const BlockCode& code, const std::string& text, char separator) {
  Found found = found_by(code, text, separator), expected = expected_of(text, separator);
  size_t end = expected.marks.empty() ? 0 : expected.marks.back() + 1;
  if (end == text.size()) {
    RC_ASSERT(found == expected);
    return;
  }
  while (!found.marks.empty() && text[found.marks.back()] != '\n') found.marks.pop_back();
  size_t common = 0;
  while (common < expected.marks.size() && expected.marks[common] < end / 64 * 64) ++common;
  while (common > 0 && text[expected.marks[common - 1]] != '\n') --common;
  RC_ASSERT(found.marks.size() >= common);
  RC_ASSERT(found.marks.size() <= expected.marks.size());
  RC_ASSERT(std::equal(found.marks.begin(), found.marks.end(), expected.marks.begin()));
}

RC_GTEST_PROP(MarkScan, EveryVersionFindsTheMarks, ()) {
  char separator = *rc::gen::element(',', ';', '\t', '\xFF');
  std::string mark(1, separator);
  auto piece = rc::gen::element<std::string>("a", "bcd", mark, "\n", "\r\n", "\xFF", "12345678", "a!",
                                             "\n\"\"\n", mark + "\"x\"\"y \"\n", "\n\"" + mark + "\"" + mark);
  std::string text;
  for (const std::string& next : *rc::gen::container<std::vector<std::string>>(piece)) text += next;
  for (int times = *rc::gen::inRange(0, 8); times > 0 && text.size() < 20000; --times) text += text;
  if (*rc::gen::arbitrary<bool>() && !text.empty()) {
    text[*rc::gen::inRange<size_t>(0, text.size())] = *rc::gen::element('"', '\0', '\r');
  }
  if (*rc::gen::arbitrary<bool>()) text += "\n";
  check(BlockCode::kPortable, text, separator);
#if defined(__x86_64__)
  if (BlockCode::has_avx2()) check(BlockCode::kAvx2, text, separator);
  if (BlockCode::has_avx512()) check(BlockCode::kAvx512, text, separator);
#endif
}

}  // namespace
}  // namespace fugu
