// Where a row belongs by its known columns.
#include "fugu/rows/strata.h"

#include <gtest/gtest.h>

#include "fugu/rows/row_rule.h"
#include "tests/support/random_scenario.h"

namespace fugu {
namespace {

Prior stratum_prior(const std::string& name, std::vector<std::string> known, std::vector<int64_t> values) {
  const std::vector<uint64_t> counts(values.size(), 20);
  return {.name = name,
          .by_secret = {Distribution::from_counts(values, counts), Distribution::from_counts(values, counts)},
          .known = std::move(known)};
}

Scenario of_two_strata() {
  Scenario scenario{testing::epsilon_of("1")};
  scenario.secrets = {"a", "b"};
  scenario.priors = {stratum_prior("g = p", {"p"}, {1, 2}), stratum_prior("(other)", {kOtherGroups}, {2, 3}),
                     stratum_prior("g = p, rumour", {"p"}, {1, 4})};
  scenario.source = Source{};
  scenario.source->secret = {"s"};
  scenario.source->published = {"x"};
  scenario.source->known = {"g"};
  scenario.source->min_group = 20;
  scenario.source->merged = {"g = q", "g = r"};
  scenario.source->left_out = {"g = z"};
  return scenario;
}

TEST(Strata, TellWhereARowBelongs) {
  const Strata strata(of_two_strata());
  EXPECT_EQ(strata.of("g = p").kind, Stratum::kOwn);
  EXPECT_EQ(*strata.of("g = p").known, (std::vector<std::string>{"p"}));
  EXPECT_EQ(strata.of("g = r").kind, Stratum::kMerged);
  EXPECT_EQ(*strata.of("g = r").known, (std::vector<std::string>{kOtherGroups}));
  EXPECT_EQ(strata.of("g = z").kind, Stratum::kLeftOut);
  for (const char* name : {"g = o", "(other)", "g = (other)", "g = p, rumour", ""})
    EXPECT_EQ(strata.of(name).kind, Stratum::kUnknown) << name;
}

TEST(Strata, HaveTheirOwnValues) {
  const PlanValues values(of_two_strata());
  EXPECT_TRUE(values.has("g = p", 4));  // a further belief of the same people
  EXPECT_FALSE(values.has("g = p", 3));
  EXPECT_TRUE(values.has("g = q", 3));
  EXPECT_FALSE(values.has("g = q", 1));
}

// Nothing of a row that is left out with its stratum is looked at, beside other columns too.
TEST(Strata, DecideWhatBecomesOfARow) {
  const Scenario scenario = of_two_strata();
  Source shape{};
  const FieldValues map(shape, Lattice{}, {1, 4});
  RowTerms terms{.secrets = 1, .given = 1, .given_names = {"g = "}, .maps = {&map}};
  terms.strata = std::make_shared<const Strata>(scenario);
  terms.keeps = true;
  auto verdict = [&](std::string_view group, std::string_view value) {
    return RowRule(terms).judge({"a", group, value});
  };
  EXPECT_EQ(verdict("p", "1").kind, RowVerdict::kValue);
  EXPECT_EQ(verdict("q", "2").stratum.kind, Stratum::kMerged);
  EXPECT_EQ(verdict("z", "elephant").kind, RowVerdict::kLeftOut);
  EXPECT_EQ(verdict("z", "elephant").why, RowVerdict::kSmallStratum);
  EXPECT_EQ(verdict("z", "elephant").group.label, "g = z");
  const RowVerdict unknown = verdict("o", "1");
  EXPECT_EQ(unknown.kind, RowVerdict::kRefused);
  EXPECT_EQ(RowRule(terms).refusal(unknown, "line 2").message(),
            "line 2: the plan does not know this group of the known columns");
  terms.drop = true;
  EXPECT_EQ(verdict("o", "1").why, RowVerdict::kSeen);
}

TEST(JoinedLabels, ArePartedWhereThatIsCertain) {
  const std::vector<std::string> names{"g = ", "h = "};
  EXPECT_EQ(texts_of_label("g = p & h = 1", names), (std::vector<std::string>{"p", "1"}));
  EXPECT_EQ(texts_of_label("g = p & q & h = 1", names), (std::vector<std::string>{"p & q", "1"}));
  EXPECT_FALSE(texts_of_label("g = p & h = 1 & h = 2", names));
  EXPECT_FALSE(texts_of_label("k = p & h = 1", names));
  EXPECT_EQ(texts_of_label("g = p & h = 1", {"g = "}), (std::vector<std::string>{"p & h = 1"}));
  EXPECT_EQ(group_name({"2", "3"}, false, {"p", "1"}), "column 2 = p & column 3 = 1");
}

}  // namespace
}  // namespace fugu
