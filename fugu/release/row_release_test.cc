#include "fugu/release/row_release.h"

#include <gtest/gtest.h>

#include "fugu/core/error.h"

namespace fugu {
namespace {

ColumnRelease column_of_rows(const std::string& name) {
  ColumnRelease column{};
  column.map.name = name;
  column.map.low = 0;
  column.map.high = 9;
  column.map.range = {0, 9};
  column.map.values = {{0, 9}};
  return column;
}

RowRelease rows_of_two_cities() {
  RowRelease release{.columns = {column_of_rows("hours"), column_of_rows("pay")}, .rows = std::nullopt};
  release.known = {"city"};
  release.strata = Strata({{"city = Bonn", Stratum::kOwn, {"Bonn"}},
                           {"city = Kiel", Stratum::kMerged, {"(other)"}},
                           {"city = Ulm", Stratum::kLeftOut, {}}});
  release.values = PlanValues(Runs{{0, 2}}, {{"city = Bonn", {{0, 1}}}, {"city = Kiel", {{2, 2}}}},
                              {{1, 1}, {1, 2}, {3, 4}});
  release.rows = Swap{{{{"Bonn"}, {0, 1}, {10, 10}, {{0, 1, 3}, {1, 0, 3}}}, {{"(other)"}, {2}, {5}, {}}}};
  return release;
}

TEST(RowRelease, GoesThroughItsFile) {
  const std::string text = row_release_to_json(rows_of_two_cities()).canonical();
  const RowRelease back = row_release_from_json(parse_json(text, "x"), "x");
  EXPECT_EQ(row_release_to_json(back).canonical(), text);
  EXPECT_EQ(back.rows, rows_of_two_cities().rows);
  EXPECT_EQ(back.strata.of("city = Bonn").kind, Stratum::kOwn);
  EXPECT_EQ(*back.strata.of("city = Kiel").known, std::vector<std::string>{"(other)"});
  EXPECT_EQ(back.strata.of("city = Ulm").kind, Stratum::kLeftOut);
  EXPECT_EQ(back.strata.of("city = Trier").kind, Stratum::kUnknown);
  EXPECT_TRUE(back.values.has("city = Bonn", Point{1, 2}));
  EXPECT_FALSE(back.values.has("city = Bonn", Point{3, 4}));
}

TEST(RowRelease, RefusesWhatIsNone) {
  auto refused = [](const std::string& from, const std::string& to) {
    std::string text = row_release_to_json(rows_of_two_cities()).canonical();
    const size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    EXPECT_THROW(row_release_from_json(parse_json(text, "x"), "x"), Error) << to;
  };
  refused("\"points\":[2]", "\"points\":[3]");  // no such row
  refused("[[1,1],[1,2]", "[[1,2],[1,1]");      // not increasing
  refused("[[1,1],[1,2]", "[[1,1],[1,2,3]");    // another number of columns
  refused("\"left out\"", "\"away\"");          // no kind of stratum
  refused("[0,1,\"3\"]", "[0,1,\"30\"]");       // more than there is
  EXPECT_THROW(row_release_from_json(parse_json("{}", "x"), "x"), Error);
}

}  // namespace
}  // namespace fugu
