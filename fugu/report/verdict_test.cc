#include "fugu/report/verdict.h"

#include <gtest/gtest.h>

namespace fugu {
namespace {

UseFacts swapped(double kept) { return {.frequencies_hold = true, .means_hold = true, .kept = kept}; }

std::string said(const UseFacts& facts) { return verdict_on(facts).sentence(facts); }

TEST(Verdict, NothingChangedIsGoodForEverything) {
  const UseFacts facts{.as_they_are = true, .frequencies_hold = true, .has_numbers = true, .kept = 1};
  EXPECT_EQ(verdict_on(facts).rows, Use::kGood);
  EXPECT_EQ(verdict_on(facts).means, Use::kGood);
  EXPECT_EQ(said(facts), "The values are the true ones: good for whatever they say, single rows included.");
}

TEST(Verdict, CategoriesThatTradePlaces) {
  EXPECT_EQ(said(swapped(0.8)), "Good for shares as they stand; not for single rows.");
  EXPECT_EQ(said(swapped(0.97)),
            "Good for shares as they stand; most single rows are unchanged, or nearly, but no single row is "
            "certain.");
  EXPECT_EQ(verdict_on(swapped(kMostlyKept)).rows, Use::kMostly);
  EXPECT_EQ(verdict_on(swapped(kMostlyKept - 1e-9)).rows, Use::kNot);
}

TEST(Verdict, WholeRowsThatTradePlacesAreGoodForCrossTables) {
  UseFacts facts = swapped(0.6);
  facts.has_numbers = facts.several_columns = true;
  EXPECT_EQ(said(facts), "Good for shares, means and cross tables as they stand; not for single rows.");
}

TEST(Verdict, NoiseOnNumbersIsGoodForMeansAndByEstimateForShares) {
  UseFacts facts{.has_numbers = true, .means_hold = true, .kept = 0.1, .error = 0.8};
  EXPECT_EQ(said(facts),
            "Good for means as they stand, and for shares, by fugu estimate; not for single rows.");
  facts.means_hold = false;  // held within a range
  EXPECT_EQ(said(facts), "Good for shares and means, by fugu estimate; not for single rows.");
  facts.error = kNearValues;
  EXPECT_EQ(verdict_on(facts).rows, Use::kMostly);
}

TEST(Verdict, FewRowsLeaveSharesAndMeansVague) {
  UseFacts facts{.has_numbers = true, .means_hold = true, .kept = 0.1, .error = 2, .share_within = 0.3};
  facts.rows = 100;
  EXPECT_EQ(said(facts), "Of little use; too vague for shares and means; not for single rows.");
  facts.rows = 1'000'000;  // the mean of many is known all the same
  EXPECT_EQ(said(facts), "Good for means as they stand; too vague for shares; not for single rows.");
  EXPECT_EQ(verdict_on({.share_within = kVagueShare}).shares, Use::kEstimated);
}

TEST(Verdict, DoesNotCallSharesGoodWhereNobodyKnowsThem) {
  UseFacts facts{.has_numbers = true, .means_hold = true, .kept = 0, .error = 5, .share_unknown = true};
  facts.rows = 10'000;
  EXPECT_EQ(said(facts),
            "Good for means as they stand; how well fugu estimate finds shares is not known beforehand; not "
            "for single rows.");
  EXPECT_EQ(good_uses(facts).front(),
            "Shares, as far as the bounds of fugu estimate allow: nothing here says how far that is.");
  const auto bad = bad_uses(facts, "", "");
  EXPECT_NE(
      std::find(bad.begin(), bad.end(), "Plain counts of the released values, as if they were true values."),
      bad.end());
  facts.error = 100;
  EXPECT_EQ(said(facts),
            "Too vague for means; how well fugu estimate finds shares is not known beforehand; not for "
            "single rows.");
  EXPECT_EQ(said({.kept = 0, .share_unknown = true}),
            "How well fugu estimate finds shares is not known beforehand; not for single rows.");
}

TEST(Verdict, SaysWhatNotToUseItFor) {
  const auto uses = bad_uses(swapped(0.975), "race", "job");
  EXPECT_EQ(uses.front(),
            "Decisions about one person: about 3 % of the values are not the true ones, and nobody can tell "
            "which.");
  EXPECT_NE(std::find(uses.begin(), uses.end(),
                      "Learning how race relates to job: the release hides that on purpose."),
            uses.end());
  const auto plain = bad_uses({.kept = 0.5}, "", "");
  EXPECT_NE(std::find(plain.begin(), plain.end(),
                      "Plain counts of the released values, as if they were true values."),
            plain.end());
}

}  // namespace
}  // namespace fugu
