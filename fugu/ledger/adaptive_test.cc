// Releases that are chosen after seeing those before, in exact rationals: what a whole transcript tells is
// within what the ledger says of the releases on its path (docs/ledger.md).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "fugu/core/error.h"
#include "fugu/ledger/family.h"
#include "fugu/ledger/ledger_rules.h"
#include "fugu/ledger/ledger_sum.h"
#include "tests/support/brute_force.h"
#include "tests/support/random_joint.h"

namespace fugu {
namespace {

using testing::epsilon_of;
using testing::laplace_tail;

LedgerRelease adaptive_release(const Scenario& scenario, Mechanism mechanism, int64_t id) {
  LedgerRelease release{.id = id,
                        .time = {},
                        .dataset = "d",
                        .secret = {"s"},
                        .published = scenario.source->published,
                        .digest = {},
                        .output = {},
                        .kept = {},
                        .reason = {},
                        .plan = {scenario, "exact", std::move(mechanism), 0, {}, {}, {}, {}, {}},
                        .rows = {.digest = "the rows"}};
  return release;
}

// Two secrets, two columns of few values; the first is also released by itself.
Scenario adaptive_scenario(size_t columns) {
  std::vector<testing::JointCounts> given;
  for (int s = 0; s < 2; ++s) given.push_back(testing::random_cloud(columns, 4, 3, 9));
  Scenario scenario = testing::joint_scenario({given}, columns);
  scenario.epsilon = epsilon_of("50");  // which any of the plans keeps
  scenario.source.emplace();
  scenario.source->secret = {"s"};
  for (size_t c = 0; c < columns; ++c) scenario.source->published.push_back("x" + std::to_string(c));
  scenario.source->columns.resize(columns);
  return scenario;
}

// One release on the path of a transcript: noise on some columns, and what came out.
struct Seen {
  std::vector<size_t> columns;
  std::vector<Rational> ratios;
  std::vector<int64_t> outputs;
};

// The largest ratio of the secrets' probabilities of a transcript; the factors that all values share cancel.
Rational told_by(const Scenario& scenario, const std::vector<Seen>& transcript) {
  std::vector<Rational> by_secret;
  for (const Distribution& law : scenario.priors[0].by_secret) {
    Rational sum(0);
    for (size_t k = 0; k < law.size(); ++k) {
      Rational mass = law.mass(k);
      const auto& x = scenario.points[static_cast<size_t>(law.atoms()[k])];
      for (const Seen& seen : transcript) {
        for (size_t c = 0; c < seen.columns.size(); ++c) {
          for (int64_t steps = std::llabs(seen.outputs[c] - x[seen.columns[c]]); steps > 0; --steps)
            mass *= seen.ratios[c];
        }
      }
      sum += mass;
    }
    by_secret.push_back(sum);
  }
  return std::max(Rational(by_secret[0] / by_secret[1]), Rational(by_secret[1] / by_secret[0]));
}

bool is_within(const Rational& ratio, const Rational& epsilon) {
  return !certainly_less(exp(Interval(epsilon, 256)), Interval(ratio, 256));
}

// Of a release with this much noise already seen, and this output: how strong the next is tried to be.
int next_choice(const std::vector<Seen>& transcript) {
  int64_t sum = 0;
  for (const Seen& seen : transcript) sum += 3 * seen.outputs.front() + 1;
  return static_cast<int>(((sum % 5) + 5) % 5);
}

const std::vector<Noise>& choices() {
  static const std::vector<Noise> all{laplace_tail(1, 1), laplace_tail(3, 2), laplace_tail(1, 2),
                                      laplace_tail(7, 3), laplace_tail(15, 4)};
  return all;
}

// A filter: at each step the release is the first of five, beginning where the outputs before say, that the
// ledger admits. No transcript of the whole tree tells more than the budget, nor than is said to be spent.
RC_GTEST_PROP(Adaptive, NoTranscriptOfOneColumnPassesTheBudget, ()) {
  const Scenario joint = adaptive_scenario(2);
  const Scenario column = joint.column(0);
  const Account account{"d", {"s"}, Rational(*rc::gen::inRange(1, 30), 10), Rational(0)};
  SpendRequest request{.dataset = "d"};
  size_t longest = 0;
  const std::function<void(std::vector<LedgerRelease>, std::vector<Seen>)> grow =
      [&](const std::vector<LedgerRelease>& releases, const std::vector<Seen>& transcript) {
        longest = std::max(longest, transcript.size());
        if (transcript.size() == 3) return;
        for (int k = 0; k < 5; ++k) {
          const Noise& noise = choices()[static_cast<size_t>((next_choice(transcript) + k) % 5)];
          auto with = releases;
          with.push_back(adaptive_release(column, noise, static_cast<int64_t>(releases.size()) + 1));
          Spent spent;
          try {
            spent = judged(request, {account}, with);
          } catch (const Error& error) {
            RC_ASSERT(error.kind() == ErrorKind::kBudget);
            continue;
          }
          RC_ASSERT(spent.together.epsilon <= account.epsilon);
          for (int64_t y = -1; y <= 3; ++y) {
            auto seen = transcript;
            seen.push_back({{0}, {noise.tail.value()}, {y}});
            RC_ASSERT(is_within(told_by(joint, seen), spent.together.epsilon));
            grow(with, seen);
          }
          return;
        }
      };
  grow({}, {});
  RC_CLASSIFY(longest == 3);
}

// The same within a family: whether one column or both come next, and how strong, follows from the outputs
// before.
RC_GTEST_PROP(Adaptive, NoTranscriptOfAFamilyPassesWhatWasReserved, ()) {
  const Scenario joint = adaptive_scenario(2);
  const JointNoise noise{
      Scale{1}, {laplace_tail(*rc::gen::inRange(1, 8), 4), laplace_tail(*rc::gen::inRange(1, 8), 4)}};
  LedgerRelease reserved = adaptive_release(joint, noise, 1);
  reserved.reserved = true;
  const Account account{"d", {"s"}, Rational(100), Rational(0)};
  const Rational charged = judged({.dataset = "d"}, {account}, {reserved}).together.epsilon;
  size_t longest = 0;
  const std::function<void(std::vector<LedgerRelease>, std::vector<Seen>)> grow =
      [&](const std::vector<LedgerRelease>& releases, const std::vector<Seen>& transcript) {
        longest = std::max(longest, transcript.size());
        if (transcript.size() == 3) return;
        const int choice = next_choice(transcript);
        for (int k = 0; k < 15; ++k) {
          const size_t column = static_cast<size_t>(choice + k) % 3;
          const bool whole = column == 2;
          const Noise& next = choices()[static_cast<size_t>(choice + k / 3) % 5];
          const auto id = static_cast<int64_t>(releases.size()) + 1;
          auto with = releases;
          with.push_back(whole ? adaptive_release(joint, JointNoise{Scale{1}, {next, next}}, id)
                               : adaptive_release(joint.column(column), next, id));
          if (families_of(with).front().members.size() != with.size() - 1) continue;
          RC_ASSERT(judged({.dataset = "d"}, {account}, with).together.epsilon == charged);
          for (int64_t y = -1; y <= 3; ++y) {
            auto seen = transcript;
            const Rational ratio = next.tail.value();
            seen.push_back(whole ? Seen{{0, 1}, {ratio, ratio}, {y, 2 - y}} : Seen{{column}, {ratio}, {y}});
            RC_ASSERT(is_within(told_by(joint, seen), charged));
            grow(with, seen);
          }
          return;
        }
      };
  grow({reserved}, {});
  RC_CLASSIFY(longest == 3);
}

// The same of two columns, one after the other: all but one count by what they tell whatever the values are.
RC_GTEST_PROP(Adaptive, NoTranscriptOfSeveralColumnsTellsMoreThanIsSpent, ()) {
  const Scenario joint = adaptive_scenario(2);
  const Account account{"d", {"s"}, Rational(1000), Rational(0)};
  const std::function<void(std::vector<LedgerRelease>, std::vector<Seen>)> grow =
      [&](const std::vector<LedgerRelease>& releases, const std::vector<Seen>& transcript) {
        if (transcript.size() == 3) return;
        const int choice = next_choice(transcript);
        const size_t column = transcript.empty() ? 0 : static_cast<size_t>(choice) % 2;
        const Noise& noise = choices()[static_cast<size_t>(choice)];
        auto with = releases;
        with.push_back(
            adaptive_release(joint.column(column), noise, static_cast<int64_t>(releases.size()) + 1));
        const Rational spent = judged({.dataset = "d"}, {account}, with).together.epsilon;
        for (int64_t y = -1; y <= 3; ++y) {
          auto seen = transcript;
          seen.push_back({{column}, {noise.tail.value()}, {y}});
          RC_ASSERT(is_within(told_by(joint, seen), spent));
          grow(with, seen);
        }
      };
  grow({}, {});
}

TEST(Adaptive, WithADeltaItIsAnAssumption) {
  const Composition pure{Rational(1), Rational(0), "joint"};
  const Composition with_delta{Rational(1), Rational(1, 1000), "cells"};
  EXPECT_EQ(chosen_beforehand(pure, 5), "");
  EXPECT_EQ(chosen_beforehand(with_delta, 1), "");
  EXPECT_NE(chosen_beforehand(with_delta, 2).find("not chosen after seeing"), std::string::npos);
}

}  // namespace
}  // namespace fugu
