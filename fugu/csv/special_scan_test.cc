#include "fugu/csv/special_scan.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace fugu {
namespace {

rc::Gen<std::string> text() {
  return rc::gen::container<std::string>(rc::gen::oneOf(
      rc::gen::element(',', ';', '\t', '"', '\n', '\r', '\0', 'a', ' '), rc::gen::arbitrary<char>()));
}

RC_GTEST_PROP(SpecialScan, FindsEverySpecialByteOnceInOrder, ()) {
  std::string bytes = *text();
  for (int times = *rc::gen::inRange(0, 4); times > 0; --times) bytes += bytes;
  char separator = *rc::gen::element(',', ';', '\t', '|');
  std::vector<size_t> expected, found;
  for (size_t k = 0; k < bytes.size(); ++k) {
    char c = bytes[k];
    if (c == separator || c == '"' || c == '\n' || c == '\r' || c == '\0') expected.push_back(k);
  }
  const char* end = bytes.data() + bytes.size();
  SpecialScan scan(bytes.data(), end, separator);
  for (const char* at = scan.next(); at != end; at = scan.next()) found.push_back(at - bytes.data());
  RC_ASSERT(found == expected);
  RC_ASSERT(scan.next() == end);
}

RC_GTEST_PROP(SpecialScan, PlainAndFastBitsAgree, ()) {
  std::string bytes = *text();
  bytes.resize(64);
  char separator = *rc::gen::element(',', ';', '\t', '\xFF');
  RC_ASSERT(special_bits(bytes.data(), separator) == special_bits_plain(bytes.data(), separator));
}

}  // namespace
}  // namespace fugu
