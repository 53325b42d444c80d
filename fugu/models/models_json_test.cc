// The models' files, and the stationary law (docs/math.md, section 12).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fugu/core/error.h"
#include "fugu/models/chain.h"
#include "fugu/models/crowd.h"

namespace fugu {
namespace {

const char* const kUsers = R"({"kind": "users", "letters": ["no", "yes"], "pairs": "both",
  "lattice": {"step": 1, "origin": 0}, "values": [0, 1],
  "users": [{"count": 3, "mass": [0.3, 0.7]}, {"count": 1, "mass": ["1/3", "2/3"]}]})";
const char* const kChain = R"({"kind": "chain", "states": ["0", "1"], "length": 3, "counted": "1",
  "frequency": false, "chains": [{"name": "a", "transition": [[0.9, 0.1], [0.4, 0.6]], "start": [0.8, 0.2]}]})";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

template <class Read>
std::string failure(Read read, const std::string& text) {
  try {
    read(parse_json(text, "m"), "m");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.message();
  }
  return "none";
}

TEST(CrowdJson, ComesBackAsItWas) {
  const Crowd crowd = crowd_from_json(parse_json(kUsers, "m"), "m");
  EXPECT_EQ(crowd.size(), 4u);
  EXPECT_EQ(crowd.users[1].masses[1], Rational(2, 3));
  EXPECT_EQ(crowd_from_json(crowd_to_json(crowd), "m"), crowd);
}

TEST(CrowdJson, KindsMayHaveTheirOwnValues) {
  const std::string text =
      with(with(with(kUsers, R"("values": [0, 1],)", ""), "[0.3, 0.7]", "[0.3, 0.7], \"values\": [0, 2]"),
           R"("2/3"])", R"("2/3"], "values": [-1, 5])");
  const Crowd crowd = crowd_from_json(parse_json(text, "m"), "m");
  EXPECT_EQ(crowd.users[1].values, (std::vector<int64_t>{-1, 5}));
  EXPECT_EQ(crowd_from_json(crowd_to_json(crowd), "m"), crowd);
}

TEST(CrowdJson, SaysWhatIsWrong) {
  auto says = [](const std::string& text) { return failure(crowd_from_json, text); };
  EXPECT_EQ(says(with(kUsers, R"("no", "yes")", R"("no", "no")")),
            "m.letters: there must be two letters at least, all different, none \"absent\"");
  EXPECT_EQ(says(with(kUsers, R"("no", "yes")", R"("no", "absent")")),
            "m.letters: there must be two letters at least, all different, none \"absent\"");
  EXPECT_EQ(says(with(kUsers, "0.3, 0.7", "-0.3, 0.7")), "m.users[0].mass: a mass is negative");
  EXPECT_EQ(says(with(kUsers, "0.3, 0.7", "0, 0")), "m.users[0].mass: all masses are zero");
  EXPECT_EQ(says(with(kUsers, "0.3, 0.7", "1")), "m.users[0].mass: there must be as many masses as letters");
  EXPECT_EQ(says(with(kUsers, "[0, 1]", "[0, 0.5]")), "m.values: a value is not on the lattice");
  EXPECT_EQ(says(with(kUsers, "[0, 1]", "[0, 1000000000000]")), "m: the sum spans too many steps");
  EXPECT_EQ(says(with(kUsers, R"("1/3", "2/3")", "0.3, 0.7")), "m.users: two kinds of users are the same");
  EXPECT_EQ(says(with(kUsers, R"("origin": 0)", R"("origin": 0.5)")),
            "m.values: a value is not on the lattice");
  EXPECT_EQ(says(with(kUsers, R"("count": 3)", R"("count": 0)")),
            "m.users[0].count: there must be 1 to 10,000,000 users");
}

TEST(Gather, AddsUpTheCopiesOfEachKind) {
  const CrowdUsers a{{Rational(1), Rational(1)}, {0, 1}, 1}, b{{Rational(1), Rational(2)}, {0, 1}, 2};
  const auto kinds = gather({a, b, a, a});
  ASSERT_EQ(kinds.size(), 2u);
  EXPECT_EQ(kinds[0].copies, 3u);
  EXPECT_EQ(kinds[1].copies, 2u);
}

TEST(ChainJson, ComesBackAsItWas) {
  const ChainModel model = chain_from_json(parse_json(kChain, "m"), "m");
  EXPECT_EQ(model.chains[0].transition[1][0], Rational(2, 5));
  EXPECT_EQ(chain_from_json(chain_to_json(model), "m"), model);
  const ChainModel still =
      chain_from_json(parse_json(with(kChain, "[0.8, 0.2]", "\"stationary\""), "m"), "m");
  EXPECT_EQ(start_law(still.chains[0]), (std::vector<Rational>{Rational(4, 5), Rational(1, 5)}));
  EXPECT_EQ(chain_from_json(chain_to_json(still), "m"), still);
}

TEST(ChainJson, CountsAndRoundedDecimalsAreDividedByTheirSum) {
  const ChainModel model = chain_from_json(
      parse_json(with(with(kChain, "[0.9, 0.1]", "[2, 1]"), "[0.4, 0.6]", "[0.3333333, 0.6666666]"), "m"),
      "m");
  EXPECT_EQ(model.chains[0].transition[0][0], Rational(2, 3));
  EXPECT_EQ(model.chains[0].transition[1][0] + model.chains[0].transition[1][1], Rational(1));
}

TEST(ChainJson, SaysWhatIsWrong) {
  auto says = [](const std::string& text) { return failure(chain_from_json, text); };
  EXPECT_EQ(says(with(kChain, "[0.9, 0.1]", "[0.9, 0.2]")),
            "m.chains[0].transition[0]: the probabilities do not add up to 1");
  EXPECT_EQ(says(with(kChain, "[0.9, 0.1]", "[1.5, -0.5]")),
            "m.chains[0].transition[0]: a probability is negative");
  EXPECT_EQ(says(with(kChain, R"("counted": "1")", R"("counted": "2")")),
            "m.counted: there is no such state");
  EXPECT_EQ(says(with(kChain, R"("length": 3)", R"("length": 0)")),
            "m.length: the length must be 1 to 1,000,000");
  EXPECT_EQ(says(with(with(kChain, "[[0.9, 0.1], [0.4, 0.6]]", "[[1, 0], [0, 1]]"), "[0.8, 0.2]",
                      "\"stationary\"")),
            "m.chains[0]: the stationary law is not unique");
  EXPECT_EQ(says(with(kChain, R"("0", "1"])", R"("1", "1"])")), "m.states: two states have the same name");
}

RC_GTEST_PROP(StationaryLaw, StaysWhereItIs, ()) {
  const auto states = *rc::gen::inRange<size_t>(2, 7);
  std::vector<std::vector<Rational>> transition;
  for (size_t r = 0; r < states; ++r) {
    const auto counts = *rc::gen::container<std::vector<int>>(states, rc::gen::inRange(1, 20));
    int sum = 0;
    for (int count : counts) sum += count;
    transition.emplace_back();
    for (int count : counts) transition.back().push_back(Rational(count, sum));
  }
  const auto law = stationary_law(transition, "m");
  Rational total(0);
  for (size_t c = 0; c < states; ++c) {
    Rational next(0);
    for (size_t r = 0; r < states; ++r) next += law[r] * transition[r][c];
    RC_ASSERT(next == law[c]);
    total += law[c];
  }
  RC_ASSERT(total == 1);
}

}  // namespace
}  // namespace fugu
