#include "fugu/mechanism/channel.h"

#include <gtest/gtest.h>

#include "fugu/core/error.h"
#include "fugu/mechanism/mechanism.h"

namespace fugu {
namespace {

Channel example() { return {{1, 2, 4}, {1, 2, 3, 4}, {{3, 1, 0, 0}, {1, 2, 1, 0}, {0, 0, 1, 7}}}; }

TEST(Channel, SaysWhatItIs) {
  EXPECT_EQ(example().row_total(1), 4);
  EXPECT_FALSE(example().is_identity());
  EXPECT_FALSE(example().is_unbiased());
  const Channel same = identity_channel({1, 5});
  EXPECT_TRUE(same.is_identity() && same.is_unbiased());
  EXPECT_TRUE(changes_nothing(same));
  EXPECT_TRUE((Channel{{2}, {1, 3}, {{5, 5}}}.is_unbiased()));
}

TEST(Channel, JsonComesBackAndEachLieIsRefused) {
  const Lattice lattice{Rational(1, 2), Rational(0)};
  const std::string text = mechanism_to_json(example(), lattice).canonical();
  EXPECT_EQ(std::get<Channel>(mechanism_from_json(parse_json(text, "plan"), lattice, "plan")), example());
  const std::pair<std::string, std::string> lies[] = {
      {R"(["3","1","0","0"])", R"(["3","1","0"])"},      // a short row
      {R"(["3","1","0","0"])", R"(["0","0","0","0"])"},  // a row that draws nothing
      {R"(["0","0","1","7"])", R"(["0","0","1","0"])"},  // an output that is never drawn
      {R"("7")", R"("-7")"},
      {R"("unbiased":false)", R"("unbiased":true)"},
      {R"("inputs":[0.5,1,2])", R"("inputs":[1,0.5,2])"},
      {R"("inputs":[0.5,1,2])", R"("inputs":[0.5,1])"},
      {R"("inputs":[0.5,1,2])", R"("inputs":[0.6,1,2])"},
      {R"("scale":null)", R"("scale":1)"},
  };
  for (const auto& [truth, lie] : lies) {
    std::string changed = text;
    ASSERT_NE(changed.find(truth), std::string::npos) << truth;
    changed.replace(changed.find(truth), truth.size(), lie);
    EXPECT_THROW(mechanism_from_json(parse_json(changed, "plan"), lattice, "plan"), Error) << lie;
  }
}

}  // namespace
}  // namespace fugu
