// A sampler run over all its inputs: every word, and where a word does not decide, every word that follows.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "fugu/core/number.h"

namespace fugu::testing {

// The words of a list, and then no more.
class ScriptedWords {
 public:
  struct Over {};

  ScriptedWords(std::span<const uint64_t> script, unsigned digits) : script_(script), digits_(digits) {}
  uint64_t word() {
    if (at_ == script_.size()) throw Over{};
    return script_[at_++] << (64 - digits_);
  }
  void fill(std::span<uint64_t> out) {
    for (uint64_t& w : out) w = word();
  }
  size_t taken() const { return at_; }

 private:
  std::span<const uint64_t> script_;
  unsigned digits_;
  size_t at_ = 0;
};

// The exact probability of each outcome, as far as `depth` words of `digits` digits decide it.
// The rest is `open`.
struct Tally {
  std::map<int64_t, Rational> decided;
  Rational open{0};
};

// `draw(words)` returns an outcome and takes words one by one.
template <class Draw>
Tally over_every_word(unsigned digits, size_t depth, Draw draw) {
  Tally tally;
  std::vector<uint64_t> script;
  auto visit = [&](auto&& self) -> void {
    ScriptedWords words(script, digits);
    const Rational share(Integer(1), Integer(1) << (digits * script.size()));
    try {
      tally.decided[static_cast<int64_t>(draw(words))] += share;
      return;
    } catch (const ScriptedWords::Over&) {
    }
    if (script.size() == depth) {
      tally.open += share;
      return;
    }
    script.push_back(0);
    for (uint64_t w = 0; w < uint64_t{1} << digits; ++w) {
      script.back() = w;
      self(self);
    }
    script.pop_back();
  };
  visit(visit);
  return tally;
}

}  // namespace fugu::testing
