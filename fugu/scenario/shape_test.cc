#include "fugu/scenario/shape.h"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>
#include <numeric>

#include "fugu/core/error.h"
#include "fugu/core/json.h"
#include "fugu/scenario/scenario_json.h"

namespace fugu {
namespace {

Rational random_number() { return Rational(*rc::gen::inRange(-2000, 2000), *rc::gen::element(1, 2, 10, 4)); }

// A map of numbers onto numbers, with its lattice.
struct NumberMap {
  ColumnShape column;
  Lattice lattice;
};

NumberMap random_map() {
  NumberMap map;
  if (*rc::gen::arbitrary<bool>()) {
    Rational low = random_number(), high = random_number();
    if (low > high) std::swap(low, high);
    map.column.clip = {low, high};
  }
  const Rational step(*rc::gen::inRange(1, 30), *rc::gen::element(1, 10));
  if (*rc::gen::arbitrary<bool>()) map.column.step = step;
  map.lattice = {step, Rational(0)};
  if (!map.column.step || *rc::gen::arbitrary<bool>()) {
    const Lattice own = map.column.step ? map.lattice : Lattice{step, Rational(step * Rational(1, 2))};
    // Of snapped numbers the width is a multiple of the step.
    const Rational width =
        map.column.step ? Rational(step * *rc::gen::inRange(1, 9)) : Rational(*rc::gen::inRange(1, 90), 10);
    map.column.bin = bin_of(width, own);
    map.lattice = lattice_of(*map.column.bin);
  }
  return map;
}

RC_GTEST_PROP(ShapeProperty, NumbersComeToLieOnTheLatticeInOrderAndStayThere, ()) {
  const NumberMap map = random_map();
  check_shape(map.column, map.lattice, "x");
  const Shape shape(map.column, map.lattice);
  const Rational a = random_number(), b = random_number();
  const auto first = shape.index(std::min(a, b)), second = shape.index(std::max(a, b));
  RC_ASSERT(first && second);
  RC_ASSERT(*first <= *second);
  RC_ASSERT(shape.index(map.lattice.value(*first)) == first);
}

// By the definition: a value moves to the middle of its bin, which is less than a width away.
RC_GTEST_PROP(ShapeProperty, ABinHoldsItsMiddleAndWhatIsReleasedForIt, ()) {
  NumberMap map = random_map();
  map.column.clip.reset();
  map.column.step.reset();
  if (!map.column.bin) return;
  const Rational x = random_number(), width = map.column.bin->width;
  const Rational released = map.lattice.value(*Shape(map.column, map.lattice).index(x));
  RC_ASSERT(floor(Rational(released / width)) == floor(Rational(x / width)));
  RC_ASSERT(released - width * Rational(floor(Rational(released / width))) == map.column.bin->middle);
}

TEST(Shape, BinsOfFiveOfWholeNumbersAreCalledByTheirMiddles) {
  ColumnShape column;
  column.bin = bin_of(Rational(5), Lattice{});
  const Lattice lattice = lattice_of(*column.bin);
  EXPECT_EQ(lattice, (Lattice{Rational(5), Rational(2)}));
  const Shape shape(column, lattice);
  for (int x : {20, 21, 22, 23, 24}) EXPECT_EQ(lattice.value(*shape.index(Rational(x))), 22) << x;
  EXPECT_EQ(lattice.value(*shape.index(Rational(25))), 27);
  EXPECT_EQ(lattice.value(*shape.index(Rational(-1))), -3);
  column.clip = {Rational(20), Rational(70)};
  const Shape held(column, lattice);
  EXPECT_EQ(lattice.value(*held.index(Rational(3))), 22);
  EXPECT_EQ(lattice.value(*held.index(Rational(99))), 72);
}

// The mean of all residues that the column's lattice has within the bin, by counting them: the middle is at
// most half a step from there, and none that near has fewer decimals.
TEST(Shape, TheMiddleIsAShortNumberNearTheMeanOfWhatABinCanHold) {
  for (int width = 1; width <= 12; ++width) {
    for (int step = 1; step <= 12; ++step) {
      for (int origin = 0; origin < step; ++origin) {
        Rational sum(0);
        int count = 0;
        for (int x = origin; x < origin + step * width; x += step, ++count) sum += x % width;
        const Rational middle = bin_of(Rational(width), Lattice{Rational(step), Rational(origin)}).middle;
        const Rational mean(sum / count), half(std::gcd(step, width), 2);
        EXPECT_LE(abs(Rational(middle - mean)), half) << width << " " << step << " " << origin;
        EXPECT_EQ(denominator(middle), 1) << width << " " << step << " " << origin;
        EXPECT_TRUE(middle >= 0 && middle < width) << width << " " << step << " " << origin;
      }
    }
  }
  EXPECT_EQ(bin_of(Rational(10), Lattice{}).middle, 5);
  EXPECT_EQ(bin_of(Rational(10), Lattice{Rational(1, 100), Rational(0)}).middle, 5);
  EXPECT_EQ(bin_of(Rational(100), Lattice{}).middle, 50);
  EXPECT_EQ(bin_of(Rational(7), Lattice{}).middle, 3);
  EXPECT_EQ(bin_of(Rational(1, 2), Lattice{Rational(1, 10), Rational(0)}).middle, Rational(1, 5));
  EXPECT_EQ(bin_of(Rational(5), Lattice{Rational(1, int64_t{1} << 50), Rational(0)}).middle, Rational(5, 2));
}

TEST(Shape, EdgesMakeCategoriesThatHoldTheirLowerEnd) {
  ColumnShape column;
  column.edges = {Rational(18), Rational(61, 2)};
  column.labels = edge_labels(column.edges);
  EXPECT_EQ(column.labels, (std::vector<std::string>{"< 18", "18 to < 30.5", ">= 30.5"}));
  const Shape shape(column, {});
  EXPECT_FALSE(shape.reads_categories());
  EXPECT_EQ(shape.index(Rational(17)), 1);
  EXPECT_EQ(shape.index(Rational(18)), 2);
  EXPECT_EQ(shape.index(Rational(30)), 2);
  EXPECT_EQ(shape.index(Rational(61, 2)), 3);
  EXPECT_EQ(shape.index(Rational(1000)), 3);
}

TEST(Shape, RareCategoriesShareTheLastPlace) {
  ColumnShape column;
  column.labels = {"a", "b", kRareLabel};
  column.rare = {"c", "d"};
  const Shape shape(column, {});
  EXPECT_EQ(shape.index(std::string_view("b")), 2);
  EXPECT_EQ(shape.index(std::string_view("c")), 3);
  EXPECT_EQ(shape.index(std::string_view("d")), 3);
  EXPECT_EQ(shape.index(std::string_view("e")), std::nullopt);
  EXPECT_EQ(shape.index(std::string_view(kRareLabel)), std::nullopt);
}

Scenario read(const std::string& lattice, const std::string& source, const std::string& values = "[22,27]") {
  return scenario_from_json(
      parse_json(R"({"epsilon":1,"priors":[{"given":{"a":{"values":)" + values +
                     R"(,"mass":[1,2]},"b":{"values":)" + values + R"(,"mass":[2,1]}}}],"lattice":)" +
                     lattice + R"(,"source":{"secret":["s"],"public":["x"],)" + source + "}}",
                 "file"),
      "file");
}

TEST(ShapeJson, ReadsBackAsItWasWritten) {
  for (const Scenario& scenario :
       {read(R"({"step":5,"origin":2})", R"("clip":[20,29],"bin":{"width":5,"middle":2})"),
        read(R"({"step":5,"origin":2})", R"("step":1,"bin":{"width":5,"middle":2})"),
        read(R"({"step":1})", R"("labels":["< 3",">= 3"],"edges":[3])", "[1,2]"),
        read(R"({"step":1})", R"j("labels":["q","(rare)"],"rare":["y","z"])j", "[1,2]")}) {
    EXPECT_EQ(scenario_from_json(scenario_to_json(scenario), "again"), scenario);
  }
}

TEST(ShapeJson, NoConfidenceForCategoriesChosenByTheirCounts) {
  Json json = scenario_to_json(read(R"({"step":1})", R"j("labels":["q","(rare)"],"rare":["y"])j", "[1,2]"));
  json.add("confidence", Json::number(0.9));
  EXPECT_THROW(scenario_from_json(json, "file"), Error);
}

TEST(ShapeJson, PartsThatContradictEachOtherAreRefused) {
  const std::string lattice = R"({"step":5,"origin":2})";
  const std::pair<std::string, std::string> bad[] = {
      {lattice, R"("bin":{"width":4,"middle":2})"},
      {lattice, R"("bin":{"width":5,"middle":1})"},
      {lattice, R"("bin":{"width":-5,"middle":2})"},
      {lattice, R"("bin":{"width":5})"},
      {lattice, R"("bin":{"width":5,"middle":2},"clip":[25,40])"},
      {lattice, R"("bin":{"width":5,"middle":2},"step":3)"},
      {R"({"step":5,"origin":1})", R"("bin":{"width":5,"middle":2})"},
  };
  for (const auto& [where, source] : bad) EXPECT_THROW(read(where, source), Error) << source;
  const std::string categories[] = {
      R"("labels":["< 3",">= 4"],"edges":[3])",
      R"("labels":["< 4","4 to < 3",">= 3"],"edges":[4,3])",
      R"("labels":["< 3",">= 3"],"edges":[3],"step":1)",
      R"j("labels":["< 3",">= 3"],"edges":[3],"rare":["x"])j",
      R"j("labels":["p","q"],"rare":["x"])j",
      R"j("labels":["p","(rare)"],"rare":["p"])j",
      R"j("labels":["p","(rare)"],"rare":["x","x"])j",
      R"("rare":["x"])",
      R"("labels":["p","q"],"bin":{"width":1,"middle":0})",
  };
  for (const std::string& source : categories)
    EXPECT_THROW(read(R"({"step":1})", source, "[1,2]"), Error) << source;
}

}  // namespace
}  // namespace fugu
