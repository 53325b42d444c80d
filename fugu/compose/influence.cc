#include "fugu/compose/influence.h"

#include <algorithm>
#include <cmath>

#include "fugu/compose/joint_loss.h"
#include "fugu/transport/transfer.h"

namespace fugu::inline in_compose {
namespace {

constexpr Bits kInfluenceBits = 128;
constexpr double kMostAccountWork = 2e5;  // values gone through for all pairs: a tenth of a second
constexpr double kMostInfluence = 700;    // for each step: exp() of it is still a double

Interval influence_bounds(const Noise& noise) {
  return log(Interval(Rational(1 / noise.tail.value()), kInfluenceBits));
}

}  // namespace

struct InfluenceAccount::Question {
  Scenario scenario;
  Rational budget;
  LineTransfer transfer;

  // "Cannot tell" counts as no.
  bool allows(const Interval& influence) const {
    if (budget < 0) return false;
    return transfer.holds(exp(Interval(kInfluenceBits) - influence), exp(Interval(budget, kInfluenceBits))) ==
           true;
  }

  // In doubles: where the first line that reaches the budget does.
  double guess() const {
    const auto wanted = static_cast<double>(budget);
    double most = kMostInfluence;
    for (const LineTransfer::Place& place : transfer.places()) {
      if (transfer.guess(place, -most) <= wanted) continue;
      double low = 0, high = most;
      for (int step = 0; step < 60; ++step) {
        const double middle = low == 0 ? high / 1024 : (low + high) / 2;
        if (!(middle > 1e-300)) break;
        (transfer.guess(place, -middle) <= wanted ? low : high) = middle;
      }
      most = low;
    }
    return most;
  }

  std::optional<double> most() const {
    if (!scenario.confidence) {
      const auto raw = raw_loss(scenario, kInfluenceBits);
      if (raw && certainly_at_most(*raw, Interval(budget, kInfluenceBits))) return std::nullopt;
    }
    const double guessed = guess();
    for (double less : {0x1p-50, 0x1p-44, 0x1p-36, 0x1p-28, 0x1p-20, 0x1p-10, 0x1p-1}) {
      const double here = guessed * (1 - less);
      if (here > 0 && allows(Interval(exact(here), kInfluenceBits))) return here;
    }
    return 0;
  }
};

InfluenceAccount::InfluenceAccount(std::shared_ptr<const Question> question, Interval spent, Interval last)
    : question_(std::move(question)),
      spent_(std::move(spent)),
      last_(std::move(last)),
      most_(question_->most()) {}

std::optional<InfluenceAccount> InfluenceAccount::of(std::vector<Plan> plans, const Rational& budget,
                                                     Beliefs beliefs) {
  Interval spent(kInfluenceBits), last(kInfluenceBits);
  for (const Plan& plan : plans) {
    const Noise* noise = std::get_if<Noise>(&plan.mechanism);
    if (plan.scenario.is_joint() || !noise || noise->reach() != 0 || noise->tail.numerator == 0)
      return std::nullopt;
    last = influence_bounds(*noise);
    spent += last;
  }
  if (plans.empty()) return std::nullopt;
  Scenario scenario = common_scenario(plans, beliefs);
  LineTransfer transfer(scenario);
  if (transfer.work() > kMostAccountWork) return std::nullopt;
  // Beliefs close to a prior cost 2 lambda of any budget (section 9).
  Rational rest(budget - 2 * scenario.lambda());
  return InfluenceAccount(
      std::make_shared<const Question>(Question{std::move(scenario), std::move(rest), std::move(transfer)}),
      std::move(spent), std::move(last));
}

double InfluenceAccount::spent() const { return spent_.upper(); }
double InfluenceAccount::of_last() const { return last_.upper(); }

int64_t InfluenceAccount::more_like_last(int64_t limit) const {
  if (!most_) return limit;
  const Interval most(exact(*most_), kInfluenceBits);
  auto fits = [&](int64_t more) {
    return certainly_at_most(spent_ + Interval(Integer(more), kInfluenceBits) * last_, most);
  };
  int64_t low = 0, high = limit + 1;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  // Where the last one fits exactly, the most that is stated in a double is a little less.
  if (low < limit && question_->allows(spent_ + Interval(Integer(low + 1), kInfluenceBits) * last_)) ++low;
  return low;
}

bool InfluenceAccount::holds() const {
  if (!most_ || certainly_at_most(spent_, Interval(exact(*most_), kInfluenceBits))) return true;
  return question_->allows(spent_);
}

}  // namespace fugu::inline in_compose
