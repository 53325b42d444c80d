// Where random words come from, without a virtual call for each draw.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

namespace fugu::inline in_sample {

// Independent, uniform 64-bit words: one by one, or many at once. The library has one: SecureRandom.
template <class Words>
concept WordSource = requires(Words& words, std::span<uint64_t> block) {
  { words.word() } -> std::same_as<uint64_t>;
  words.fill(block);
};

// Any source, for code compiled once: a draw that its block of words did not decide asks here.
class MoreWords {
 public:
  template <WordSource Words>
  explicit MoreWords(Words& words)
      : source_(&words), next_([](void* source) { return static_cast<Words*>(source)->word(); }) {}

  uint64_t word() const { return next_(source_); }

 private:
  void* source_;
  uint64_t (*next_)(void*);
};

}  // namespace fugu::inline in_sample
