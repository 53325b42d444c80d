// The verdict of every row: a table of what there is.
#include "fugu/rows/row_rule.h"

#include <gtest/gtest.h>

namespace fugu {
namespace {

// A secret, a given column and a released one of three categories.
class Rule {
 public:
  explicit Rule(Missing missing = Missing::kError) {
    source_.columns[0].labels = {"cook", "clerk"};
    if (missing == Missing::kKeep) source_.columns[0].labels.emplace_back(kMissingLabel);
    source_.na = {"?"};
    source_.missing = missing;
    terms.secrets = terms.given = 1;
    terms.given_names = {given_prefix("g")};
    terms.na = source_.na;
    terms.missing = missing;
    terms.known_secrets = std::make_shared<const std::set<std::string>>(
        std::set<std::string>{"a", "b", missing == Missing::kKeep ? kMissingLabel : "b"});
    map_.emplace(source_, Lattice{}, std::pair<int64_t, int64_t>{1, 3});
    terms.maps = {&*map_};
  }

  RowVerdict operator()(const std::vector<std::string_view>& row) const { return RowRule(terms).judge(row); }
  // "value 2", "left out for 0", or the words of the refusal.
  std::string says(const std::vector<std::string_view>& row) const {
    const RowVerdict verdict = (*this)(row);
    if (verdict.kind == RowVerdict::kValue)
      return verdict.value.empty() ? "value" : "value " + std::to_string(verdict.value.front());
    if (verdict.kind == RowVerdict::kLeftOut) return "left out for " + std::to_string(verdict.field);
    return RowRule(terms).refusal(verdict, std::to_string(verdict.field)).message();
  }

  std::string hint(const std::vector<std::string_view>& row) const {
    return RowRule(terms).refusal((*this)(row), "").hint();
  }

  RowTerms terms;

 private:
  Source source_{};
  std::optional<FieldValues> map_;
};

TEST(RowRule, OfAPlanThatRefusesMissingFields) {
  const Rule rule;
  EXPECT_EQ(rule.says({"a", "f", "clerk"}), "value 2");
  EXPECT_EQ(rule.says({"", "f", "clerk"}), "0: the field is missing");
  EXPECT_EQ(rule.says({"a", "?", "clerk"}), "1: the field is missing");
  EXPECT_EQ(rule.says({"a", "f", ""}), "2: the field is missing");
  EXPECT_EQ(rule.says({"c", "f", "clerk"}), "0: the plan does not know this secret");
  EXPECT_EQ(rule.says({"a", "f", "king"}), "2: the plan does not know this value");
  EXPECT_EQ(rule.says({kMissingLabel, "f", "cook"}), "0: the plan does not know this secret");
}

// Of several columns each is looked at: one that is known does not make up for one that is not.
TEST(RowRule, OfSeveralColumnsEachMustBeKnown) {
  Rule rule;
  rule.terms.maps.push_back(rule.terms.maps.front());
  EXPECT_EQ(rule.says({"a", "f", "clerk", "cook"}), "value 2");
  EXPECT_EQ(rule.says({"a", "f", "king", "cook"}), "2: the plan does not know this value");
  EXPECT_EQ(rule.says({"a", "f", "cook", "king"}), "3: the plan does not know this value");
  EXPECT_EQ(rule.says({"a", "f", "king", ""}), "2: the plan does not know this value");
}

// A category that the plan names, but that no prior gives mass to, is not covered by its promise.
TEST(RowRule, AValueWithoutMassIsUnknown) {
  Rule rule;
  rule.terms.values = std::make_shared<const PlanValues>(Runs{{1, 1}});
  EXPECT_EQ(rule.says({"a", "f", "cook"}), "value 1");
  EXPECT_EQ(rule.says({"a", "f", "clerk"}), "2: the plan does not know this value");
  rule.terms.nearest = true;
  EXPECT_EQ(rule.says({"a", "f", "clerk"}), "value 1");
}

// The name of a stratum whose texts could be those of another is nobody's, where the plan says so.
TEST(RowRule, AStratumIsOneByItsNameOnlyWhereThatNamesOneGroup) {
  Rule rule;
  rule.terms.given = 2;
  rule.terms.given_names = group_prefixes({"g", "h"}, true);
  std::vector<StratumPlace> places;
  for (const std::vector<std::string>& known : {std::vector<std::string>{"x", "z"}, {"x & h = y", "z"}})
    places.push_back({group_name({"g", "h"}, true, known), Stratum::kOwn, known});
  rule.terms.strata = std::make_shared<const Strata>(places);
  EXPECT_EQ(rule.says({"a", "x", "z", "cook"}), "value 1");
  EXPECT_EQ(rule.says({"a", "x & h = y", "z", "cook"}), "value 1");
  rule.terms.only_plain_labels = true;
  EXPECT_EQ(rule.says({"a", "x", "z", "cook"}), "value 1");
  EXPECT_EQ(rule.says({"a", "x & h = y", "z", "cook"}),
            "1: the plan does not know this group of the known columns");
}

// A hint is something that can be done: beside kept columns no row is left out.
TEST(RowRule, HintsAtLeavingOutOnlyWhereThatIsServed) {
  Rule rule;
  const std::vector<std::vector<std::string_view>> refused = {
      {"", "f", "clerk"}, {"c", "f", "clerk"}, {"a", "f", "king"}, {"a", "f", ""}};
  for (const auto& row : refused) EXPECT_NE(rule.hint(row).find("--missing drop"), std::string::npos);
  rule.terms.keeps = true;
  for (const auto& row : refused) EXPECT_EQ(rule.hint(row).find("--missing drop"), std::string::npos);
}

TEST(RowRule, LeavesOutWhatIsMissingAndRefusesWhatIsUnknown) {
  const Rule rule(Missing::kDrop);
  EXPECT_EQ(rule.says({"?", "f", "king"}), "left out for 0") << "a row that does not count may hold anything";
  EXPECT_EQ(rule.says({"a", "", "clerk"}), "left out for 1");
  EXPECT_EQ(rule.says({"a", "f", "?"}), "left out for 2");
  EXPECT_EQ(rule.says({"c", "f", "?"}), "0: the plan does not know this secret");
}

TEST(RowRule, KeepsWhatIsMissingUnderOneLabel) {
  const Rule rule(Missing::kKeep);
  EXPECT_EQ(rule({"?", "", "cook"}).secret.label, kMissingLabel);
  EXPECT_EQ(rule({"?", "", "cook"}).group.label, std::string("g = ") + kMissingLabel);
  EXPECT_EQ(rule.says({"", "f", ""}), "value 3");
  EXPECT_EQ(rule.says({"a", kMissingLabel, "cook"}),
            "1: the text is the label that --missing keep gives to missing fields");
  EXPECT_EQ(rule.says({"a", "f", kMissingLabel}), "2: the plan does not know this value");
}

TEST(RowRule, WithDropNothingIsRefused) {
  for (const Missing missing : {Missing::kError, Missing::kDrop, Missing::kKeep}) {
    Rule rule(missing);
    rule.terms.drop = true;
    EXPECT_EQ(rule.says({"", "f", "cook"}), "left out for 0");
    EXPECT_EQ(rule.says({"c", "f", "cook"}), "left out for 0");
    EXPECT_EQ(rule.says({"a", "f", "king"}), "left out for 2");
    rule.terms.keeps = true;
    EXPECT_EQ(rule.says({"a", "f", "king"}),
              "2: the row would be left out because of this field, and the kept columns show which rows are "
              "missing");
    EXPECT_EQ(rule.says({"a", "f", "cook"}), "value 1");
  }
}

TEST(RowRule, OfKeptColumnsCoversThePlansGroups) {
  Rule rule;
  rule.terms.groups = std::make_shared<const std::set<std::string>>(std::set<std::string>{"g = f"});
  EXPECT_EQ(rule.says({"a", "f", "cook"}), "value 1");
  EXPECT_EQ(rule.says({"a", "m", "cook"}), "1: the plan does not cover this group of the given columns");
  rule.terms.keeps = true;
  EXPECT_EQ(rule.says({"a", "m", "cook"}), "1: the plan does not cover this group of the given columns");
}

TEST(RowRule, OfNewDataKnowsNoLabelThatOtherTextsMake) {
  Rule rule;
  rule.terms.secrets = 2;
  rule.terms.known_secrets =
      std::make_shared<const std::set<std::string>>(std::set<std::string>{"a & b & c"});
  EXPECT_EQ(rule.says({"a", "b & c", "f", "cook"}), "value 1");
  rule.terms.only_plain_labels = true;
  EXPECT_EQ(rule.says({"a", "b & c", "f", "cook"}),
            "0: joined with ' & ', this secret has the same text as another");
}

TEST(RowRule, OfACountTakesEveryText) {
  Rule rule(Missing::kKeep);
  rule.terms.maps.clear();
  rule.terms.known_secrets = nullptr;
  EXPECT_EQ(rule.says({"x", "y", "z"}), "value");
  EXPECT_EQ(rule.says({"x", "y", "\xff"}), "2: the text is not UTF-8");
  EXPECT_EQ(rule.says({"x", "y", kMissingLabel}),
            "2: the text is the label that --missing keep gives to missing fields");
  rule.terms.missing = Missing::kDrop;
  const RowVerdict verdict = rule({"x", "?", "z"});
  EXPECT_EQ(verdict.kind, RowVerdict::kLeftOut);
  EXPECT_TRUE(verdict.has_secret);
  EXPECT_FALSE(verdict.has_group);
}

}  // namespace
}  // namespace fugu
