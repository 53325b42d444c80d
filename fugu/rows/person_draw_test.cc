#include "fugu/rows/person_draw.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace fugu {
namespace {

// A secret, no given column, one published one.
RowTerms terms_of_two() {
  RowTerms terms;
  terms.secrets = 1;
  return terms;
}

std::string seed_of(uint64_t number) { return fmt::format("{:064x}", number); }

using PersonTexts = std::vector<std::pair<std::string, std::string>>;  // person, texts

std::vector<PersonRow> person_rows(const PersonTexts& texts, const std::vector<uint64_t>& times) {
  std::vector<PersonRow> rows;
  for (size_t k = 0; k < texts.size(); ++k) rows.push_back({texts[k].first, texts[k].second, times[k]});
  return rows;
}

std::map<std::string, std::string> chosen(const std::vector<PersonRow>& rows, const std::string& seed) {
  std::map<std::string, std::string> result;
  for (size_t row : drawn_rows(rows, seed, terms_of_two())) {
    const bool fresh = result.emplace(rows[row].person, rows[row].texts).second;
    EXPECT_TRUE(fresh) << "two rows of one person";
  }
  return result;
}

std::string text_pair(const std::string& secret, const std::string& value) {
  return secret + std::string(1, '\0') + value;
}

RC_GTEST_PROP(PersonDraw, DoesNotDependOnTheOrderOfRows, (uint64_t number)) {
  const size_t count = *rc::gen::inRange<size_t>(1, 30);
  std::map<std::pair<std::string, std::string>, uint64_t> distinct;
  for (size_t k = 0; k < count; ++k) {
    const auto person = std::to_string(*rc::gen::inRange(0, 6));
    distinct[{person,
              text_pair(std::to_string(*rc::gen::inRange(0, 2)), std::to_string(*rc::gen::inRange(0, 4)))}] +=
        *rc::gen::inRange<uint64_t>(1, 4);
  }
  std::vector<PersonRow> rows;
  for (const auto& [texts, times] : distinct) rows.push_back({texts.first, texts.second, times});
  const auto expected = chosen(rows, seed_of(number));
  std::reverse(rows.begin(), rows.end());
  RC_ASSERT(chosen(rows, seed_of(number)) == expected);
  std::rotate(rows.begin(), rows.begin() + static_cast<ptrdiff_t>(rows.size() / 2), rows.end());
  RC_ASSERT(chosen(rows, seed_of(number)) == expected);
}

// How often each of three rows of a person, of which one comes twice, is taken by so many seeds.
template <class Draw>
std::vector<uint64_t> taken_by_seeds(uint64_t seeds, const Draw& draw) {
  const PersonTexts texts{{"7", text_pair("a", "1")}, {"7", text_pair("b", "2")}, {"7", text_pair("a", "3")}};
  const std::vector<PersonRow> rows = person_rows(texts, {1, 2, 1});
  std::vector<uint64_t> taken(rows.size());
  for (uint64_t number = 0; number < seeds; ++number) ++taken[draw(rows, seed_of(number))];
  return taken;
}

// Pearson's statistic against the shares 1/4, 1/2, 1/4: above 18.4 with probability 1e-4 (two degrees).
double misfit(const std::vector<uint64_t>& taken, uint64_t seeds) {
  const double share[] = {0.25, 0.5, 0.25};
  double sum = 0;
  for (size_t k = 0; k < taken.size(); ++k) {
    const double expected = share[k] * static_cast<double>(seeds);
    sum += std::pow(static_cast<double>(taken[k]) - expected, 2) / expected;
  }
  return sum;
}

constexpr uint64_t kSeeds = 20000;

TEST(PersonDraw, TakesEachRowAsOftenAsAnyOther) {
  const auto taken = taken_by_seeds(kSeeds, [](const std::vector<PersonRow>& rows, const std::string& seed) {
    return drawn_rows(rows, seed, terms_of_two()).front();
  });
  EXPECT_LT(misfit(taken, kSeeds), 18.4);
}

// Two faults that the test above must see: equal rows that count once, and a preference of one in twenty for
// the first row.
TEST(PersonDraw, BiasedDrawsAreSeen) {
  const auto once = taken_by_seeds(kSeeds, [](std::vector<PersonRow> rows, const std::string& seed) {
    for (PersonRow& row : rows) row.times = 1;
    return drawn_rows(rows, seed, terms_of_two()).front();
  });
  EXPECT_GT(misfit(once, kSeeds), 18.4);
  uint64_t asked = 0;
  const auto first = taken_by_seeds(kSeeds, [&](const std::vector<PersonRow>& rows, const std::string& seed) {
    return asked++ % 20 == 0 ? size_t{0} : drawn_rows(rows, seed, terms_of_two()).front();
  });
  EXPECT_GT(misfit(first, kSeeds), 18.4);
}

TEST(PersonDraw, TakesANumberForItselfHoweverItIsWritten) {
  for (uint64_t number = 0; number < 50; ++number) {
    const PersonTexts plain{
        {"p", text_pair("a", "1.5")}, {"p", text_pair("a", "2")}, {"p", text_pair("b", "2")}};
    PersonTexts other = plain;
    other[0].second = text_pair("a", "1.50");
    other[1].second = text_pair("a", "2.0");
    const auto one = drawn_rows(person_rows(plain, {1, 3, 1}), seed_of(number), terms_of_two());
    EXPECT_EQ(drawn_rows(person_rows(other, {1, 3, 1}), seed_of(number), terms_of_two()), one);
  }
}

// The keys of a person's rows put them in one order: fewer rows are the first of more, and the one that is
// taken alone is the first of all.
RC_GTEST_PROP(PersonBags, FewerRowsAreAmongMore, (uint64_t number)) {
  std::vector<std::string> people, texts;
  std::vector<PersonRow> rows;
  const size_t count = *rc::gen::inRange<size_t>(1, 20);
  for (size_t k = 0; k < count; ++k) {
    people.push_back(std::to_string(*rc::gen::inRange(0, 4)));
    texts.push_back(text_pair("a", std::to_string(k)));
  }
  for (size_t k = 0; k < count; ++k) rows.push_back({people[k], texts[k], *rc::gen::inRange<uint64_t>(1, 4)});
  std::vector<size_t> alone;
  const auto most = drawn_bags(rows, seed_of(number), terms_of_two(), 100);
  for (uint64_t rows_each : {uint64_t{1}, uint64_t{2}, uint64_t{3}}) {
    const auto fewer = drawn_bags(rows, seed_of(number), terms_of_two(), rows_each);
    RC_ASSERT(fewer.size() == most.size());
    for (size_t p = 0; p < most.size(); ++p) {
      uint64_t own = 0;
      for (const PersonRow& row : rows) own += row.person == rows[most[p].first].person ? row.times : 0;
      RC_ASSERT(most[p].rows.size() == own);
      RC_ASSERT(fewer[p].rows.size() == std::min<uint64_t>(own, rows_each));
      RC_ASSERT(std::equal(fewer[p].rows.begin(), fewer[p].rows.end(), most[p].rows.begin()));
      for (size_t row : most[p].rows) RC_ASSERT(rows[row].person == rows[most[p].first].person);
      if (rows_each == 1) alone.push_back(fewer[p].rows.front());
    }
  }
  std::sort(alone.begin(), alone.end());
  RC_ASSERT(alone == drawn_rows(rows, seed_of(number), terms_of_two()));
}

TEST(PersonBags, SeesPeopleWithSeveralSecrets) {
  const PersonTexts texts{{"p", text_pair("a", "1")}, {"p", text_pair("b", "1")}, {"q", text_pair("b", "1")}};
  const auto bags = drawn_bags(person_rows(texts, {1, 1, 2}), seed_of(1), terms_of_two(), 1);
  ASSERT_EQ(bags.size(), 2U);
  EXPECT_FALSE(bags[0].one_secret);
  EXPECT_TRUE(bags[1].one_secret);
}

// Each two of four equal rows and one other, in any order: the other is among them in 2 of 5 draws.
TEST(PersonBags, TakesEachRowAsOftenAsAnyOther) {
  const PersonTexts texts{{"7", text_pair("a", "1")}, {"7", text_pair("a", "2")}};
  uint64_t taken = 0;
  for (uint64_t number = 0; number < kSeeds; ++number) {
    const auto bag = drawn_bags(person_rows(texts, {4, 1}), seed_of(number), terms_of_two(), 2).front();
    taken += std::count(bag.rows.begin(), bag.rows.end(), size_t{1}) > 0 ? 1 : 0;
  }
  // Four standard deviations: wrong alarms once in 15,000.
  EXPECT_NEAR(static_cast<double>(taken), 0.4 * kSeeds, 4 * std::sqrt(0.24 * kSeeds));
}

}  // namespace
}  // namespace fugu
