// Random words that no one can predict: the operating system's entropy, stretched by AES-256-CTR.
//
// Fast key erasure: the first bytes of each 64 KiB block are the next block's key and counter, and the key
// that made it is gone before a word is handed out. A word is wiped when it is taken. So what is in memory
// tells nothing of words already drawn. The state is neither dumped nor inherited: after a fork the child
// finds zeros, and asks the system anew. One object for each thread.
//
// Error (io) when the system gives no entropy, no such memory, or OpenSSL no cipher; never a weaker source.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace fugu::inline in_sample {

class SecureRandom {
 public:
  SecureRandom();
  SecureRandom(const SecureRandom&) = delete;
  SecureRandom& operator=(const SecureRandom&) = delete;
  ~SecureRandom();

  uint64_t word() {
    if (state_->left == 0) refill();
    uint64_t& next = state_->block[kBlockWords - state_->left--];
    const uint64_t word = next;
    next = 0;
    return word;
  }
  void fill(std::span<uint64_t> out);

 private:
  friend struct SecureRandomProbe;  // defined by this room's tests alone; tests/randomness_test.py sees to it

  static constexpr size_t kBlockWords = (64 << 10) / sizeof(uint64_t);
  static constexpr uint64_t kBlocksPerSeed =
      (1 << 30) / (64 << 10);                  // the system is asked again every 2^30 bytes
  using Seed = std::array<unsigned char, 48>;  // a key of 32 bytes, a counter of 16
  using Entropy = void (*)(std::span<unsigned char>);

  // All zeros means: no words, no seed. That is what a new mapping holds, and what a child finds.
  struct State {
    uint64_t left;         // words of `block` not yet taken, the last ones; the others are 0
    uint64_t blocks_left;  // until the system is asked again
    Seed seed;             // of the next block
    alignas(64) uint64_t block[kBlockWords];
  };
  struct Cipher;

  explicit SecureRandom(Entropy entropy);
  void refill();

  Entropy entropy_;
  std::unique_ptr<Cipher> cipher_;
  State* state_;
};

}  // namespace fugu::inline in_sample
