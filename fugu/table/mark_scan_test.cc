#include "fugu/table/mark_scan.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace fugu {
namespace {

struct Found {
  std::vector<size_t> marks;
  size_t line_ends = 0;
  bool operator==(const Found&) const = default;
};

Found found_by(MarkScan::Next next, const std::string& text, char separator) {
  std::string padded = text + std::string(MarkScan::kBlock, '"');
  MarkScan scan(padded.data(), padded.data() + text.size(), separator);
  Found found;
  std::vector<uint32_t> marks(MarkScan::kMostMarks);
  for (bool more = true; more;) {
    MarkScan::Run run = next(scan, marks.data());
    found.marks.insert(found.marks.end(), marks.begin(), marks.begin() + static_cast<ptrdiff_t>(run.marks));
    found.line_ends += run.line_ends;
    more = run.more;
  }
  return found;
}

// All marks before the block with the first byte that is not plain.
Found expected_of(const std::string& text, char separator) {
  size_t plain = 0;
  auto odd = [&](size_t k) {
    bool stray = text[k] == '\r' && (k + 1 == text.size() || text[k + 1] != '\n');
    return text[k] == '"' || text[k] == '\0' || stray;
  };
  while (plain < text.size() && !odd(plain)) ++plain;
  // A CR that ends a block is known to be stray in the next one.
  bool seen_later = plain < text.size() && text[plain] == '\r' && plain % 64 == 63 && plain + 1 < text.size();
  size_t end = plain == text.size() ? plain : (seen_later ? plain + 1 : plain / 64 * 64);
  Found found;
  for (size_t k = 0; k < end; ++k) {
    if (text[k] == '\n' || text[k] == separator) found.marks.push_back(k);
    found.line_ends += text[k] == '\n';
  }
  return found;
}

RC_GTEST_PROP(MarkScan, EveryVersionFindsTheMarks, ()) {
  char separator = *rc::gen::element(',', ';', '\t', '\xFF');
  auto piece = rc::gen::element<std::string>("a", "bcd", ",", ";", "\t", "\n", "\r\n", "\xFF", "12345678");
  std::string text;
  for (const std::string& next : *rc::gen::container<std::vector<std::string>>(piece)) text += next;
  for (int times = *rc::gen::inRange(0, 8); times > 0 && text.size() < 20000; --times) text += text;
  if (*rc::gen::arbitrary<bool>() && !text.empty()) {
    text[*rc::gen::inRange<size_t>(0, text.size())] = *rc::gen::element('"', '\0', '\r');
  }
  Found expected = expected_of(text, separator);
  RC_ASSERT(found_by(MarkScan::next_portable, text, separator) == expected);
  RC_ASSERT(found_by(MarkScan::best(), text, separator) == expected);
}

}  // namespace
}  // namespace fugu
