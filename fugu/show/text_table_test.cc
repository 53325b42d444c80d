#include "fugu/show/text_table.h"

#include <gtest/gtest.h>

namespace fugu {
namespace {

TEST(TextTable, AlignsColumns) {
  TextTable table({{"method", Align::kLeft}, {"scale", Align::kRight}, {"note", Align::kLeft}});
  table.add({"exact", "1.5", ""});
  table.add({"kantorovich", "12.25", "the paper's"});
  EXPECT_EQ(table.text(),
            "  method       scale  note\n"
            "  exact          1.5\n"
            "  kantorovich  12.25  the paper's\n");
}

TEST(TextTable, CountsCodePointsNotBytes) {
  TextTable table({{"a", Align::kRight}, {"b", Align::kLeft}});
  table.add({"\xC3\xA9\xC3\xA9", "x"});
  table.add({"abc", "y"});
  EXPECT_EQ(table.text(), "    a  b\n   \xC3\xA9\xC3\xA9  x\n  abc  y\n");
}

}  // namespace
}  // namespace fugu
