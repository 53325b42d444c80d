#include "fugu/verify/count_loss.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "fugu/core/error.h"
#include "fugu/verify/count_rounded.h"
#include "fugu/verify/long_double_bounds.h"
#include "fugu/verify/rounding.h"

namespace fugu::inline in_verify {
namespace {

void check_size(const ChainModel& model) {
  constexpr double kMostProducts = 4e8, kMostMasses = 3e7;  // some seconds, and 16 bytes each
  const std::string hint = "calibrate again with --method transfer";
  if (!model.counted)
    throw Error(ErrorKind::kData, "the exact law is that of one state's count, not of a histogram", hint);
  const auto length = static_cast<double>(model.length), states = static_cast<double>(model.states.size());
  if (states * length * length * length / 6 > kMostProducts || states * length * length > kMostMasses) {
    throw Error(ErrorKind::kData,
                fmt::format("the exact law of {} times and {} states would take too long", model.length,
                            model.states.size()),
                hint);
  }
}

// One side of the bounds, from time to time.
class Side {
 public:
  Side(const ChainModel& model, const MarkovChain& chain, const Rational& ratio, Toward toward)
      : toward_(toward) {
    chain_.states = model.states.size();
    chain_.counted = *model.counted;
    chain_.ratio = rounded(ratio, toward);
    for (const auto& row : chain.transition)
      for (const Rational& mass : row) chain_.matrix.push_back(rounded(mass, toward));
    for (const Rational& mass : start_law(chain)) chain_.start.push_back(rounded(mass, toward));
    const Rounding rounding(toward);
    after_ = counts_after(chain_, model.length);
    counts_ = counts_at_start(chain_, model.length);
  }

  // From the time before; not for the first.
  void step(uint64_t time) {
    const Rounding rounding(toward_);
    step_counts(chain_, time - 1, counts_);
  }
  long double mass(size_t state) const {
    const Rounding rounding(toward_);
    return mass_of_state(chain_, counts_, state);
  }
  // P(released | state), given its mass rounded to the other side.
  Reals given(uint64_t time, size_t state, long double mass) const {
    const Rounding rounding(toward_);
    Reals law = released_with(chain_, counts_, after_[after_.size() - time], time, state);
    for (long double& value : law) value = rounded_quotient(value, mass);
    return law;
  }

 private:
  Toward toward_;
  RoundedChain chain_;
  std::vector<Reals> after_;
  Reals counts_;
};

// The laws of what is released given each state that is possible at one time.
struct Laws {
  std::vector<size_t> states;
  std::vector<Reals> low, high;  // as many
};

// What is impossible both ways bounds nothing, and what cannot be told is infinite.
long double ratio_of(long double high, long double low) {
  if (high == 0) return 0;
  return low == 0 ? std::numeric_limits<long double>::infinity() : rounded_quotient(high, low);
}

// Where the laws of one side are largest (smallest) at an output.
template <class Before>
size_t first_of(const std::vector<Reals>& laws, size_t output, Before before) {
  size_t first = 0;
  for (size_t k = 1; k < laws.size(); ++k)
    if (before(laws[k][output], laws[first][output])) first = k;
  return first;
}

// The largest ratio so far. Beyond 0 and the length the noise falls alike, so these outputs are all that
// count.
class LargestRatio {
 public:
  void raise(const Laws& laws, size_t chain, uint64_t time) {
    const Rounding up(Toward::kUp);
    for (size_t y = 0; y < laws.low.front().size(); ++y) {
      const size_t a = first_of(laws.high, y, std::greater<>()), b = first_of(laws.low, y, std::less<>());
      const long double ratio = ratio_of(laws.high[a][y], laws.low[b][y]);
      if (ratio <= upper) continue;
      upper = ratio;
      place = {chain, time, {laws.states[a], laws.states[a != b ? b : a == 0]}};
    }
  }
  void raise_lower(const Laws& laws) {
    const Rounding down(Toward::kDown);
    for (size_t y = 0; y < laws.low.front().size(); ++y) {
      const size_t a = first_of(laws.low, y, std::greater<>()), b = first_of(laws.high, y, std::less<>());
      if (a != b) lower = std::max(lower, ratio_of(laws.low[a][y], laws.high[b][y]));
    }
  }
  void raise_named(const Laws& laws, LetterPair states) {
    const Rounding up(Toward::kUp);
    auto find = [&](size_t state) { return std::find(laws.states.begin(), laws.states.end(), state); };
    const auto first = find(states.first), second = find(states.second);
    if (first == second || first == laws.states.end() || second == laws.states.end()) return;
    const auto a = static_cast<size_t>(first - laws.states.begin()),
               b = static_cast<size_t>(second - laws.states.begin());
    for (size_t y = 0; y < laws.low.front().size(); ++y) {
      named = std::max(
          {named, ratio_of(laws.high[a][y], laws.low[b][y]), ratio_of(laws.high[b][y], laws.low[a][y])});
    }
  }

  long double upper = 1, lower = 1, named = 1;
  ChainPlace place{0, 1, {0, 1}};
};

void weigh_chain(const ChainModel& model, size_t number, const Rational& ratio,
                 const std::optional<ChainPlace>& named, LargestRatio& largest, const Progress& progress) {
  Side low(model, model.chains[number], ratio, Toward::kDown),
      high(model, model.chains[number], ratio, Toward::kUp);
  for (uint64_t time = 1; time <= model.length; ++time) {
    report(progress, static_cast<double>(time) / static_cast<double>(model.length), "laws of the count");
    if (time > 1) {
      low.step(time);
      high.step(time);
    }
    Laws laws;
    for (size_t x = 0; x < model.states.size(); ++x) {
      const long double least = low.mass(x), most = high.mass(x);
      if (most == 0) continue;  // impossible, for certain
      laws.states.push_back(x);
      laws.low.push_back(low.given(time, x, most));
      laws.high.push_back(high.given(time, x, least));
    }
    if (laws.states.size() < 2) continue;
    largest.raise(laws, number, time);
    largest.raise_lower(laws);
    if (named && number == named->chain && time == named->time) largest.raise_named(laws, named->states);
  }
}

}  // namespace

CountLoss count_loss(const ChainModel& model, const Rational& ratio, const std::optional<ChainPlace>& named,
                     const Progress& progress) {
  check_size(model);
  LargestRatio largest;
  for (size_t k = 0; k < model.chains.size(); ++k) weigh_chain(model, k, ratio, named, largest, progress);
  return {log_up(largest.upper), largest.place, largest.named >= largest.lower};
}

}  // namespace fugu::inline in_verify
