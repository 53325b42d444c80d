#include "fugu/report/comparison.h"

#include <gtest/gtest.h>

namespace fugu {
namespace {

Comparison comparison_of(double best) {
  return {Epsilon::parse("0.8", "test", ErrorKind::kBug),
          {},
          {{.method = "kantorovich",
            .title = "Theorem 1",
            .noise = "laplace",
            .scale = Scale{2.5},
            .mse = 12.0,
            .loss = 0.1025},
           {.method = "exact",
            .title = "least noise",
            .noise = "laplace",
            .scale = Scale{best / 2},
            .mse = best,
            .loss = 0.75841,
            .changes_nothing = best == 0,
            .note = best == 0 ? "no noise is needed" : ""}}};
}

TEST(Comparison, TextIsAlignedAndNamesTheBest) {
  EXPECT_EQ(comparison_text(comparison_of(4)),
            "epsilon 0.8: a 50 % belief in either of two secrets becomes at most 69 %\n\n"
            "  method       noise    scale  error (rms)  error (mse)  times the best    loss  what it is\n"
            "  kantorovich  laplace    2.5        3.464           12               3  0.1025  Theorem 1\n"
            "  exact        laplace      2            2            4            best  0.7585  least noise\n");
}

TEST(Comparison, NoNoiseIsSaidPlainly) {
  const std::string text = comparison_text(comparison_of(0));
  EXPECT_NE(text.find("no noise needed"), std::string::npos);
  EXPECT_EQ(text.find("inf"), std::string::npos);
  EXPECT_NE(text.find("No noise is needed at epsilon 0.8: the unchanged value tells any two of these secrets "
                      "apart by at most e^0.7585.\n"),
            std::string::npos);
}

// With delta the last column is the proved hockey-stick; a method that gives nothing says why below the
// table.
TEST(Comparison, WithDelta) {
  const Comparison comparison{Epsilon::parse("2", "test", ErrorKind::kBug),
                              Delta::parse("1e-5", "test", ErrorKind::kBug),
                              {{.method = "theorem3a",
                                .title = "Theorem 3 (a)",
                                .noise = "gaussian",
                                .note = "for epsilon up to 1 only"},
                               {.method = "exact",
                                .title = "least noise",
                                .noise = "gaussian",
                                .scale = Scale{2},
                                .mse = 4.0,
                                .delta = 9.9999e-6}}};
  EXPECT_EQ(comparison_text(comparison),
            "epsilon 2, delta 0.00001: whatever is concluded is at most e^2 times as likely under one secret "
            "as under the "
            "other, plus 0.00001\n"
            "\n"
            "  method     noise     scale  error (rms)  error (mse)  times the best  delta  what it is\n"
            "  theorem3a  gaussian      -            -            -               -      -  Theorem 3 (a)\n"
            "  exact      gaussian      2            2            4            best  1e-05  least noise\n"
            "\n"
            "  theorem3a (gaussian): for epsilon up to 1 only\n");
  EXPECT_EQ(
      comparison_to_json(comparison).canonical(),
      R"({"candidates":[{"delta":null,"loss":null,"method":"theorem3a","mse":null,"noise":"gaussian","note":"for epsilon up to 1 only","scale":null},)"
      R"({"delta":9.9999e-06,"loss":null,"method":"exact","mse":4,"noise":"gaussian","note":"","scale":2}],"delta":0.00001,"epsilon":2})");
}

TEST(Comparison, BaselinesStandApart) {
  Comparison comparison = comparison_of(4);
  comparison.candidates.push_back({.method = "dp-laplace",
                                   .title = "baseline: hides all",
                                   .noise = "laplace",
                                   .scale = Scale{9},
                                   .mse = 40.0,
                                   .loss = 0.01,
                                   .baseline = true});
  EXPECT_EQ(
      comparison_text(comparison),
      "epsilon 0.8: a 50 % belief in either of two secrets becomes at most 69 %\n\n"
      "  method       noise    scale  error (rms)  error (mse)  times the best    loss  what it is\n"
      "  kantorovich  laplace    2.5        3.464           12               3  0.1025  Theorem 1\n"
      "  exact        laplace      2            2            4            best  0.7585  least noise\n\n"
      "  dp-laplace   laplace      9        6.325           40              10    0.01  baseline: hides "
      "all\n\n"
      "A baseline hides the value itself, not only the secret: it holds whatever the adversary believes.\n");
  const std::string json = comparison_to_json(comparison).canonical();
  EXPECT_NE(json.find(R"({"baseline":true,"loss":0.01,"method":"dp-laplace",)"), std::string::npos);
  EXPECT_EQ(json.find("baseline"), json.rfind("baseline"));
}

// A release that looks at the secret, or has other outputs, may have less: the limit is not theirs.
TEST(Comparison, TheLimitIsOfReleasesOfTheValueOnItsOutputs) {
  Comparison comparison = comparison_of(4);
  comparison.candidates.push_back(
      {.method = "channel", .title = "t", .noise = "channel", .mse = 2.0, .loss = 0.8, .bound = 2.0});
  EXPECT_NE(comparison_text(comparison)
                .find("\nThe limit is a mean square of 2: no release that looks only at the value and whose "
                      "outputs are the values themselves has less.\n"),
            std::string::npos);
  comparison.candidates.back().bound = 1.9;
  EXPECT_EQ(comparison_text(comparison).find("limit"), std::string::npos);
}

TEST(Comparison, JsonHasEveryCandidate) {
  EXPECT_EQ(
      comparison_to_json(comparison_of(4)).canonical(),
      R"({"candidates":[{"loss":0.1025,"method":"kantorovich","mse":12,"noise":"laplace","note":"","scale":2.5},)"
      R"({"loss":0.75841,"method":"exact","mse":4,"noise":"laplace","note":"","scale":2}],"delta":0,"epsilon":0.8})");
}

}  // namespace
}  // namespace fugu
