#include "fugu/scenario/domain.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "fugu/law/boxes.h"
#include "fugu/scenario/scenario_json.h"
#include "fugu/scenario/shape.h"

namespace fugu {
namespace {

using Values = std::vector<int64_t>;

// Counts of a table's column at 2 and 5.
Scenario counted() {
  Scenario scenario{Epsilon::parse("1", "test", ErrorKind::kBug)};
  scenario.secrets = {"a", "b"};
  scenario.priors.push_back(
      {"empirical", {Distribution::from_counts({2, 5}, {5, 5}), Distribution::from_counts({5}, {8})}});
  scenario.source.emplace();
  scenario.source->secret = {"s"};
  scenario.source->published = {"x"};
  scenario.confidence = Rational(9, 10);
  return scenario;
}

void expect_refused(const Scenario& scenario, const std::string& says) {
  for (const ErrorKind kind : {ErrorKind::kUsage, ErrorKind::kGuarantee}) {
    try {
      domain_of(scenario, kind);
      ADD_FAILURE() << "not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind);
      EXPECT_NE(error.message().find(says), std::string::npos) << error.message();
    }
  }
}

TEST(Domain, ATablesOwnNumbersAreNone) {
  Scenario scenario = counted();
  expect_refused(scenario, "say which numbers can occur");
  scenario.source->columns[0].step = Rational(1);
  expect_refused(scenario, "say which numbers can occur");
  scenario.source->columns[0].step.reset();
  scenario.source->columns[0].clip = {Rational(0), Rational(9)};
  expect_refused(scenario, "say which numbers can occur");
  EXPECT_THROW(boxes_of(scenario), Error);
}

TEST(Domain, ClipAndStepMakeEveryPointBetween) {
  Scenario scenario = counted();
  scenario.source->columns[0].clip = {Rational(4, 10), Rational(66, 10)};
  scenario.source->columns[0].step = Rational(1);
  EXPECT_EQ(domain_of(scenario), (Values{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(scenario.bounds(), (std::pair<int64_t, int64_t>{0, 7}));
  const BoxedLaws boxed = boxes_of(scenario);
  const Rational tail = Rational(1, 10) / (2 * 2 * 8);  // zero counts are cells
  EXPECT_EQ(boxed.boxes[0][0][1].high, clopper_pearson(0, 10, tail).high);
  EXPECT_EQ(boxed.boxes[0][1][5].low, clopper_pearson(8, 8, tail).low);
}

TEST(Domain, ARangeIsEnoughForABandAlone) {
  Scenario scenario = counted();
  scenario.source->columns[0].clip = {Rational(4, 10), Rational(66, 10)};
  EXPECT_EQ(domain_kind(scenario), DomainKind::kRange);
  EXPECT_EQ(usual_bounds(scenario), BoundKind::kBand);
  scenario.bounded_by = BoundKind::kBand;
  EXPECT_EQ(domain_of(scenario), (Values{1, 2, 3, 4, 5, 6}));
  scenario.bounded_by = BoundKind::kBoth;
  expect_refused(scenario, "say which numbers can occur");
  scenario.bounded_by = BoundKind::kBand;
  scenario.source->columns[0].clip.reset();
  expect_refused(scenario, "say which numbers can occur");
}

TEST(Domain, ManyDeclaredPointsHaveBoxesAndABand) {
  Scenario scenario = counted();
  scenario.source->columns[0].step = Rational(1);
  scenario.source->columns[0].clip = {Rational(0), Rational(5)};
  EXPECT_EQ(usual_bounds(scenario), BoundKind::kBoxes);
  scenario.source->columns[0].clip->second = Rational(6);
  EXPECT_EQ(usual_bounds(scenario), BoundKind::kBoth);
  // What is declared decides, not what was counted.
  scenario.priors[0].by_secret[0] = Distribution::from_counts({2}, {1});
  EXPECT_EQ(usual_bounds(scenario), BoundKind::kBoth);
}

TEST(Domain, EdgesAndCategoriesAreTheirLabels) {
  Scenario scenario = counted();
  scenario.source->columns[0].labels = {"a", "b", "c", "d", "e", "f"};
  EXPECT_EQ(domain_kind(scenario), DomainKind::kCategories);
  EXPECT_EQ(domain_of(scenario), (Values{1, 2, 3, 4, 5, 6}));
  scenario.source->columns[0].edges = {Rational(1), Rational(2), Rational(3), Rational(4)};
  scenario.source->columns[0].labels = edge_labels(scenario.source->columns[0].edges);
  EXPECT_EQ(domain_kind(scenario), DomainKind::kEdges);
  EXPECT_EQ(domain_of(scenario), (Values{1, 2, 3, 4, 5}));
  scenario.source->columns[0].labels.pop_back();
  expect_refused(scenario, "beyond those that can occur");
}

TEST(Domain, RefusesWhatWasPutTogetherByItsCounts) {
  Scenario scenario = counted();
  scenario.source->columns[0].labels = {"a", "b", "c", "d", kRareLabel};
  EXPECT_EQ(domain_of(scenario).size(), 5U);
  Scenario rare = scenario, merged = scenario;
  rare.source->columns[0].rare = {"x", "y"};
  merged.source->merged = {"g = 1", "g = 2"};
  expect_refused(rare, "for being rare");
  expect_refused(merged, "for being small");
}

TEST(Domain, RefusesMoreThanCanBeGoneThrough) {
  Scenario scenario = counted();
  scenario.source->columns[0].step = Rational(1);
  scenario.source->columns[0].clip = {Rational(0), Rational(kMostValues - 1)};
  EXPECT_EQ(domain_of(scenario).size(), static_cast<size_t>(kMostValues));
  scenario.source->columns[0].clip->second += 1;
  expect_refused(scenario, "1001 values can occur");
  scenario.source->columns[0].clip->second = Rational(10000000);
  expect_refused(scenario, "10000001 values can occur");
}

// Whatever number a table holds, the map puts it into the domain; and nothing is in it that no number makes.
RC_GTEST_PROP(DomainProperty, IsAllThatTheShapeMakes, ()) {
  Scenario scenario = counted();
  scenario.priors.clear();
  Source& source = *scenario.source;
  auto quarter = [](int low, int high) { return Rational(*rc::gen::inRange(low, high), 4); };
  const Rational low = quarter(-40, 40), step = quarter(1, 9);
  source.columns[0].clip = {low, Rational(low + quarter(0, 80))};
  if (*rc::gen::inRange(0, 2) == 0) {
    source.columns[0].step = step;
    scenario.lattice = {step, Rational(0)};
  }
  if (!source.columns[0].step || *rc::gen::inRange(0, 2) == 0) {
    source.columns[0].bin = Bin{Rational(step * *rc::gen::inRange(1, 4)), Rational(0)};
    source.columns[0].bin->middle = source.columns[0].bin->width / *rc::gen::inRange(2, 5);
    scenario.lattice = lattice_of(*source.columns[0].bin);
  }
  const Values domain = domain_of(scenario);
  const Shape shape(source.columns[0], scenario.lattice);
  std::vector<int64_t> made;
  for (int k = -200; k <= 200; ++k) made.push_back(shape.index(Rational(k, 4)).value());
  std::sort(made.begin(), made.end());
  made.erase(std::unique(made.begin(), made.end()), made.end());
  RC_ASSERT(made == domain);
}

TEST(Domain, ListedValuesOfNoMassAreInItAndStayInTheFile) {
  const char* kFile = R"({"epsilon": 1, "confidence": 0.9, "priors": [
      {"given": {"a": {"values": [1, 3, 7], "mass": [5, 5, 0]}, "b": {"values": [3, 5], "mass": [8, 0]}}},
      {"given": {"a": {"values": [1, 9], "mass": [5, 0]}, "b": {"values": [3], "mass": [8]}}}]})";
  const Scenario scenario = scenario_from_json(parse_json(kFile, "f"), "f");
  EXPECT_EQ(domain_kind(scenario), DomainKind::kListed);
  EXPECT_EQ(scenario.lattice, (Lattice{Rational(2), Rational(1)}));
  EXPECT_EQ(domain_of(scenario), (Values{0, 1, 2, 3, 4}));
  EXPECT_EQ(boxes_of(scenario).boxes[1][0][4].low, 0);
  EXPECT_EQ(scenario_from_json(scenario_to_json(scenario), "f"), scenario);
  Scenario plain = scenario_from_json(parse_json(kFile, "f"), "f");
  plain.unseen.clear();
  EXPECT_EQ(domain_of(plain), (Values{0, 1}));
}

TEST(Domain, WithoutAConfidenceNoMassIsNoValue) {
  const Scenario scenario = scenario_from_json(parse_json(R"({"epsilon": 1, "priors": [{"given": {
      "a": {"values": [1, 3, 3.5], "mass": [5, 5, 0]}, "b": {"values": [3], "mass": [8]}}}]})",
                                                          "f"),
                                               "f");
  EXPECT_EQ(scenario.lattice.step, Rational(2));
  EXPECT_TRUE(scenario.unseen.empty());
}

}  // namespace
}  // namespace fugu
