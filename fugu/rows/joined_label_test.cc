#include "fugu/rows/joined_label.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace fugu {
namespace {

using Texts = std::vector<std::string>;

JoinedLabel joined(const Texts& names, const Texts& texts) {
  JoinedLabel result;
  for (size_t k = 0; k < texts.size(); ++k) result.add(names[k], texts[k]);
  return result;
}

TEST(JoinedLabel, IsReadInOneWayOrNot) {
  EXPECT_TRUE(splits_once("a & b", {""})) << "one column has nothing to part";
  EXPECT_TRUE(splits_once("p & q", {"", ""}));
  EXPECT_FALSE(splits_once("p & q & r", {"", ""}));
  EXPECT_TRUE(splits_once("p & q & r", {"", "", ""}));
  EXPECT_FALSE(splits_once("p & & q", {"", ""})) << "the blank may be either's";
  EXPECT_TRUE(splits_once("p & & & q", {"", "", ""}));
  EXPECT_TRUE(splits_once("p&q & r", {"", ""}));
  EXPECT_FALSE(splits_once("p", {"", ""}));
  const Texts names{"g = ", "h = "};
  EXPECT_TRUE(splits_once("g = x & y & h = z", names));
  EXPECT_FALSE(splits_once("g = x & h = y & h = z", names));
}

// Held against all ways to part a label at its blanks.
RC_GTEST_PROP(JoinedLabelProperty, SplitsOnceWhenNoOtherTextsMakeTheLabel, ()) {
  const Texts names = *rc::gen::element(Texts{"", ""}, Texts{"", "", ""}, Texts{"g = ", "h = "});
  Texts texts;
  for (size_t k = 0; k < names.size(); ++k) {
    std::string text;
    for (int n = *rc::gen::inRange(0, 4); n > 0; --n)
      text += *rc::gen::element<std::string>("a", "&", " ", " & ", "h = ", " & h = ");
    texts.push_back(text);
  }
  const JoinedLabel label = joined(names, texts);
  std::set<Texts> ways;
  auto part = [&](auto&& self, const Texts& front, size_t at) -> void {
    if (front.size() + 1 == names.size()) {
      Texts all = front;
      all.push_back(label.label.substr(at));
      if (joined(names, all).label == label.label) ways.insert(all);
      return;
    }
    for (size_t end = at; end <= label.label.size(); ++end) {
      const std::string cut = " & " + names[front.size() + 1];
      if (label.label.compare(end, cut.size(), cut) != 0) continue;
      Texts next = front;
      next.push_back(label.label.substr(at, end - at));
      self(self, next, end + cut.size());
    }
  };
  part(part, {}, names[0].size());
  RC_ASSERT(ways.contains(texts));
  RC_ASSERT(splits_once(label.label, names) == (ways.size() == 1));
}

TEST(JoinedLabel, OthersOfTheSameLabelAreNoticed) {
  Tally labels, parted;
  const Texts plain{"", ""};
  EXPECT_EQ(add_label(joined(plain, {"p & q", "r"}), 1, 1, labels, parted), 0U);
  EXPECT_EQ(add_label(joined(plain, {"p", "q"}), 2, 1, labels, parted), 1U);
  EXPECT_EQ(add_label(joined(plain, {"p & q", "r"}), 3, 1, labels, parted), 0U);
  EXPECT_EQ(add_label(joined(plain, {"p", "q & r"}), 4, 1, labels, parted), std::nullopt);
}

TEST(MissingTexts, AreOfOneKindInEachColumn) {
  MissingTexts one, other;
  EXPECT_TRUE(one.add(0, ""));
  EXPECT_TRUE(one.add(0, ""));
  EXPECT_TRUE(one.add(2, "?"));
  EXPECT_TRUE(other.add(2, "?"));
  EXPECT_EQ(one.add(other), std::nullopt);
  EXPECT_TRUE(other.add(0, "NA"));
  EXPECT_EQ(one.add(other), 0U);
  EXPECT_FALSE(other.add(2, ""));
  EXPECT_FALSE(other.add(2, "?")) << "it stays so";
  MissingTexts third;
  EXPECT_EQ(third.add(other), 2U);
}

}  // namespace
}  // namespace fugu
