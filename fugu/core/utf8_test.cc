#include "fugu/core/utf8.h"

#include <gtest/gtest.h>

namespace fugu {
namespace {

TEST(Utf8, AcceptsWhatRfc3629Accepts) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("plain"));
  EXPECT_TRUE(is_utf8("é ß 日本 😀"));
  EXPECT_TRUE(is_utf8(
      "\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"));
}

TEST(Utf8, RefusesWhatRfc3629Refuses) {
  for (const char* bad :
       {"\x80", "\xC3", "a\xC3z", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xE2\x82",
        "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xE9t\xE9"}) {
    EXPECT_FALSE(is_utf8(bad));
  }
}

TEST(Utf8, PrintableIsOneLine) {
  EXPECT_TRUE(is_printable("Beruf (früher)"));
  EXPECT_FALSE(is_printable("two\nlines"));
  EXPECT_FALSE(is_printable("\x1b[31m"));
  EXPECT_FALSE(is_printable("\xE9"));
}

}  // namespace
}  // namespace fugu
