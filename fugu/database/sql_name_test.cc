#include "fugu/database/sql_name.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fugu/core/error.h"

namespace fugu {
namespace {

TEST(SqlName, IsReadAsSqlDoes) {
  const SqlName plain = parse_sql_name("People", "--table", true);
  EXPECT_EQ(plain.schema, "");
  EXPECT_EQ(plain.name, "people");
  EXPECT_EQ(parse_sql_name("People", "--table", false).name, "People");
  const SqlName both = parse_sql_name("Census.\"My \"\"odd\"\"; table.\"", "--table", true);
  EXPECT_EQ(both.schema, "census");
  EXPECT_EQ(both.name, "My \"odd\"; table.");
  EXPECT_EQ(both.quoted(), "\"census\".\"My \"\"odd\"\"; table.\"");
  EXPECT_EQ(parse_sql_name("ünï_1$", "--table", true).quoted(), "\"ünï_1$\"");
}

TEST(SqlName, RefusesWhatIsNone) {
  for (const char* text : {"", ".", "a.", ".a", "a.b.c", "two words", "x;y", "1st", "\"open", "\"\"",
                           "\"a\"b", "a\"b\"", "a-b"}) {
    try {
      parse_sql_name(text, "--into", true);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_EQ(error.message().find("--into: '"), 0u);
    }
  }
}

// Whatever a name holds, what is quoted is read as that name.
RC_GTEST_PROP(SqlNameProperty, QuotingIsUndoneByReading, ()) {
  auto name = rc::gen::nonEmpty(rc::gen::container<std::string>(
      rc::gen::element('a', 'B', '"', '.', ';', ' ', '\'', '-', '\\', '\xC3', '\n')));
  const SqlName odd{*name, *name};
  const SqlName back = parse_sql_name(odd.quoted(), "--table", *rc::gen::arbitrary<bool>());
  RC_ASSERT(back.schema == odd.schema && back.name == odd.name);
}

}  // namespace
}  // namespace fugu
