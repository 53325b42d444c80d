#include "fugu/csv/short_rows.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace fugu {
namespace {

struct Counted {
  uint64_t count = 0;
  uint64_t place = 0;
  bool operator==(const Counted&) const = default;
};

// Texts in buffers that are as long as ShortRows may read, with something behind the text.
template <size_t kFields, size_t kWords>
void expect_same(const std::vector<std::vector<std::string>>& rows) {
  ShortRows<kFields, kWords> counts;
  std::map<std::vector<std::string>, Counted> expected, found,
      fresh;  // fresh: how often each was new, and where
  auto is_new = [&](const auto& texts, uint64_t place) {
    Counted& entry = fresh[{texts.begin(), texts.end()}];
    entry = {entry.count + 1, place};
  };
  uint64_t place = 0;
  for (const auto& row : rows) {
    std::array<std::string, kFields> buffers;
    std::array<Field, kFields> fields;
    for (size_t k = 0; k < kFields; ++k) {
      buffers[k] = row[k] + std::string(Field::kReadable, '#');
      fields[k].text = std::string_view(buffers[k]).substr(0, row[k].size());
    }
    if (!counts.fits(fields.data())) continue;
    Counted& entry =
        expected.try_emplace({row.begin(), row.begin() + kFields}, Counted{0, place}).first->second;
    ++entry.count;
    counts.add(fields.data(), place++, is_new);
  }
  counts.flush(is_new);
  counts.for_each([&](const auto& texts, uint64_t count, uint64_t first) {
    found[{texts.begin(), texts.end()}] = {count, first};
  });
  EXPECT_EQ(found.size(), expected.size());
  EXPECT_TRUE(found == expected);
  EXPECT_EQ(fresh.size(), expected.size());
  for (const auto& [row, entry] : fresh) EXPECT_EQ(entry, (Counted{1, expected[row].place}));
}

TEST(ShortRows, KeepCountsAndFirstPlacesWhileTheyGrow) {
  std::vector<std::vector<std::string>> rows;
  for (size_t k = 0; k < 20000; ++k) {
    rows.push_back({std::to_string(k % 3), std::to_string(k * k % 7001), std::string(k % 18, 'x')});
  }
  expect_same<2, 1>(rows);
  expect_same<2, 2>(rows);
  expect_same<3, 1>(rows);
  expect_same<3, 2>(rows);
}

RC_GTEST_PROP(ShortRows, EqualAMap, ()) {
  auto text = rc::gen::resize(20, rc::gen::container<std::string>(rc::gen::element('a', '\xFF')));
  auto rows = *rc::gen::container<std::vector<std::vector<std::string>>>(
      rc::gen::container<std::vector<std::string>>(3, text));
  expect_same<2, 1>(rows);
  expect_same<2, 2>(rows);
  expect_same<3, 2>(rows);
}

}  // namespace
}  // namespace fugu
