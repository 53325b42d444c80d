#include "fugu/sample/random.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "fugu/core/error.h"
#include "fugu/sample/words.h"

namespace fugu {
inline namespace in_sample {

struct SecureRandomProbe {
  using Seed = SecureRandom::Seed;
  static constexpr size_t kWords = SecureRandom::kBlockWords - sizeof(Seed) / 8;
  static constexpr uint64_t kBlocksPerSeed = SecureRandom::kBlocksPerSeed;
  static SecureRandom with(void (*entropy)(std::span<unsigned char>)) { return SecureRandom(entropy); }
  static Seed seed(const SecureRandom& random) { return random.state_->seed; }
  static uint64_t& blocks_left(SecureRandom& random) { return random.state_->blocks_left; }
  static std::span<const unsigned char> state(const SecureRandom& random) {
    return {reinterpret_cast<const unsigned char*>(random.state_), sizeof(*random.state_)};
  }
};

}  // namespace in_sample
namespace {

using Probe = SecureRandomProbe;

static_assert(WordSource<SecureRandom>);
static_assert(!std::is_copy_constructible_v<SecureRandom> && !std::is_move_constructible_v<SecureRandom>);

// The system is asked again every 2^30 bytes, seeds included.
static_assert((Probe::kWords * 8 + sizeof(Probe::Seed)) * Probe::kBlocksPerSeed == 1 << 30);

// NIST SP 800-38A, F.5.5: the key and the counter of CTR-AES256.
constexpr Probe::Seed kNist{0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae, 0xf0,
                            0x85, 0x7d, 0x77, 0x81, 0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7,
                            0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4, 0xf0, 0xf1, 0xf2, 0xf3,
                            0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};

int entropy_calls = 0;
void nist_entropy(std::span<unsigned char> out) {
  ++entropy_calls;
  std::copy(kNist.begin(), kNist.end(), out.begin());
}

// The key stream by another way: AES-256 of each counter, block by block.
std::vector<uint64_t> key_stream(const Probe::Seed& seed, size_t words) {
  std::vector<uint64_t> stream(words);
  auto counter = std::vector<unsigned char>(seed.begin() + 32, seed.end());
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  EVP_EncryptInit_ex(context, EVP_aes_256_ecb(), nullptr, seed.data(), nullptr);
  for (size_t k = 0; k < words; k += 2) {
    int written = 0;
    EVP_EncryptUpdate(context, reinterpret_cast<unsigned char*>(&stream[k]), &written, counter.data(), 16);
    for (size_t byte = 16; byte-- > 0 && ++counter[byte] == 0;) {
    }
  }
  EVP_CIPHER_CTX_free(context);
  return stream;
}

template <class Whole, class Part>
bool holds(const Whole& whole, const Part& part) {
  return std::search(whole.begin(), whole.end(), part.begin(), part.end()) != whole.end();
}

TEST(SecureRandom, KnownAnswer) {
  SecureRandom random = Probe::with(nist_entropy);
  // The fourth block of the key stream (plain text xor cipher text); the first three are the next seed.
  const std::array<unsigned char, 16> plain{0xf6, 0x9f, 0x24, 0x45, 0xdf, 0x4f, 0x9b, 0x17,
                                            0xad, 0x2b, 0x41, 0x7b, 0xe6, 0x6c, 0x37, 0x10};
  const std::array<unsigned char, 16> cipher{0xdf, 0xc9, 0xc5, 0x8d, 0xb6, 0x7a, 0xad, 0xa6,
                                             0x13, 0xc2, 0xdd, 0x08, 0x45, 0x79, 0x41, 0xa6};
  std::array<uint64_t, 2> words{random.word(), random.word()};
  std::array<unsigned char, 16> bytes{};
  std::memcpy(bytes.data(), words.data(), 16);
  for (size_t k = 0; k < 16; ++k) EXPECT_EQ(bytes[k], plain[k] ^ cipher[k]) << k;
}

TEST(SecureRandom, EachBlockSeedsTheNext) {
  SecureRandom random = Probe::with(nist_entropy);
  Probe::Seed seed = kNist;
  for (int block = 0; block < 3; ++block) {
    const auto stream = key_stream(seed, 6 + Probe::kWords);
    for (size_t k = 0; k < Probe::kWords; ++k) ASSERT_EQ(random.word(), stream[6 + k]) << block << ' ' << k;
    std::memcpy(seed.data(), stream.data(), seed.size());
  }
}

TEST(SecureRandom, FillIsWordByWord) {
  SecureRandom one = Probe::with(nist_entropy), many = Probe::with(nist_entropy);
  for (size_t size : {size_t{1}, size_t{0}, size_t{5}, size_t{8180}, size_t{3}, size_t{20000}, size_t{1}}) {
    std::vector<uint64_t> words(size);
    many.fill(words);
    for (size_t k = 0; k < size; ++k) ASSERT_EQ(words[k], one.word()) << size << ' ' << k;
    ASSERT_EQ(many.word(), one.word());
  }
}

TEST(SecureRandom, KeysAndTakenWordsAreErased) {
  SecureRandom random = Probe::with(nist_entropy);
  std::vector<uint64_t> words{random.word(), random.word(), random.word()};
  const auto state = Probe::state(random);
  const std::vector<unsigned char> key(kNist.begin(), kNist.begin() + 32);
  EXPECT_FALSE(holds(state, key));
  const Probe::Seed first = Probe::seed(random);
  EXPECT_TRUE(holds(state, first)) << "the search itself works";
  // The seed is nowhere but in its place: not at the head of the block it came from.
  EXPECT_FALSE(holds(state.subspan(16 + first.size()), first));
  words.resize(3 + 100);
  random.fill(std::span(words).subspan(3));
  for (uint64_t word : words) {
    const auto bytes = std::bit_cast<std::array<unsigned char, 8>>(word);
    EXPECT_FALSE(holds(state, bytes));
  }
  words.resize(Probe::kWords);
  random.fill(words);
  EXPECT_FALSE(holds(state, first)) << "after a refill the old key is gone";
}

TEST(SecureRandom, AsksTheSystemAgain) {
  SecureRandom random = Probe::with(nist_entropy);
  entropy_calls = 0;
  const uint64_t first = random.word();
  EXPECT_EQ(entropy_calls, 1);
  EXPECT_EQ(Probe::blocks_left(random), Probe::kBlocksPerSeed - 1);
  Probe::blocks_left(random) = 1;
  std::vector<uint64_t> words(2 * Probe::kWords - 1);  // the rest of this block, and all of the last
  random.fill(words);
  EXPECT_EQ(entropy_calls, 1);
  EXPECT_EQ(random.word(), first) << "the same seed again";
  EXPECT_EQ(entropy_calls, 2);
}

TEST(SecureRandom, NoEntropyIsAnError) {
  static bool broken;
  broken = true;
  SecureRandom random = Probe::with([](std::span<unsigned char> out) {
    if (broken) throw Error(ErrorKind::kIo, "the operating system gave no random bytes: injected", "");
    nist_entropy(out);
  });
  for (int k = 0; k < 3; ++k) {
    try {
      random.word();
      FAIL() << "a word without entropy";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kIo);
      EXPECT_NE(error.message().find("no random bytes"), std::string::npos);
    }
  }
  std::array<uint64_t, 4> words{1, 2, 3, 4};
  EXPECT_THROW(random.fill(words), Error);
  EXPECT_EQ(words, (std::array<uint64_t, 4>{1, 2, 3, 4}));
  broken = false;
  EXPECT_EQ(random.word(), key_stream(kNist, 8)[6]) << "whole again when entropy is";
}

TEST(SecureRandom, ChildAndParentPart) {
  SecureRandom random;
  random.word();  // so that both would go on with the same block
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  std::array<uint64_t, 64> mine{}, theirs{};
  if (child == 0) {
    const auto state = Probe::state(random);
    const bool inherited =
        std::any_of(state.begin(), state.end(), [](unsigned char byte) { return byte != 0; });
    bool sent = false;
    try {
      random.fill(mine);
      sent = write(ends[1], mine.data(), sizeof(mine)) == sizeof(mine);
    } catch (...) {
    }
    _exit(inherited || !sent ? 1 : 0);
  }
  ASSERT_EQ(read(ends[0], theirs.data(), sizeof(theirs)), static_cast<ssize_t>(sizeof(theirs)));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  close(ends[0]);
  close(ends[1]);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "the child found the parent's state";
  random.fill(mine);
  std::set<uint64_t> all(mine.begin(), mine.end());
  all.insert(theirs.begin(), theirs.end());
  EXPECT_EQ(all.size(), 128U);  // two equal words have probability 2^-51
}

// Each of 64 bits is on in half of 2^20 words, within 7 standard deviations of 512: false alarm 2e-10.
TEST(SecureRandom, BitsAreFair) {
  SecureRandom random;
  std::vector<uint64_t> words(1 << 20);
  random.fill(words);
  for (unsigned bit = 0; bit < 64; ++bit) {
    int64_t on = 0;
    for (uint64_t word : words) on += static_cast<int64_t>(word >> bit & 1);
    EXPECT_LT(std::abs(on - (1 << 19)), 7 * 512) << bit;
  }
}

}  // namespace
}  // namespace fugu
