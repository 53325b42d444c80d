#include "fugu/sample/random.h"

#include <openssl/evp.h>
#include <sys/mman.h>
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "fugu/core/error.h"
#include "fugu/sample/wiped.h"

namespace fugu::inline in_sample {
namespace {

void system_entropy(std::span<unsigned char> out) {
  while (!out.empty()) {
    const ssize_t got = getrandom(out.data(), out.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw Error(ErrorKind::kIo,
                  std::string("the operating system gave no random bytes: ") +
                      (got < 0 ? std::strerror(errno) : "getrandom returned none"),
                  "fugu never draws noise from a weaker source; check that getrandom(2) is allowed here");
    }
    out = out.subspan(static_cast<size_t>(got));
  }
}

[[noreturn]] void no_cipher() {
  throw Error(ErrorKind::kIo, "OpenSSL could not run AES-256-CTR", "check the OpenSSL installation");
}

}  // namespace

struct SecureRandom::Cipher {
  EVP_CIPHER* algorithm = EVP_CIPHER_fetch(nullptr, "AES-256-CTR", nullptr);
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();

  Cipher() = default;
  Cipher(const Cipher&) = delete;
  Cipher& operator=(const Cipher&) = delete;
  ~Cipher() {
    EVP_CIPHER_CTX_free(context);
    EVP_CIPHER_free(algorithm);
  }

  // Turns zeros into the key stream; false when OpenSSL fails. Either way the key's schedule is erased.
  bool encrypt(const Seed& seed, std::span<uint64_t> zeros) {
    auto* bytes = reinterpret_cast<unsigned char*>(zeros.data());
    const int size = static_cast<int>(zeros.size_bytes());
    int written = 0;
    const bool done = algorithm != nullptr && context != nullptr &&
                      EVP_EncryptInit_ex2(context, algorithm, seed.data(), seed.data() + 32, nullptr) == 1 &&
                      EVP_EncryptUpdate(context, bytes, &written, bytes, size) == 1 && written == size;
    return (context == nullptr || EVP_CIPHER_CTX_reset(context) == 1) && done;
  }
};

SecureRandom::SecureRandom() : SecureRandom(system_entropy) {}

SecureRandom::SecureRandom(Entropy entropy) : entropy_(entropy), cipher_(std::make_unique<Cipher>()) {
  void* memory = mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool mapped = memory != MAP_FAILED;
  if (!mapped || madvise(memory, sizeof(State), MADV_WIPEONFORK) != 0 ||
      madvise(memory, sizeof(State), MADV_DONTDUMP) != 0) {
    const std::string reason = std::strerror(errno);
    if (mapped) munmap(memory, sizeof(State));
    throw Error(ErrorKind::kIo, "no memory that a forked process cannot inherit: " + reason,
                "Linux 4.14 or later has it (MADV_WIPEONFORK)");
  }
  state_ = static_cast<State*>(memory);
}

SecureRandom::~SecureRandom() {
  wipe(state_, sizeof(State));
  munmap(state_, sizeof(State));
}

void SecureRandom::refill() {
  if (state_->blocks_left == 0) {
    entropy_(state_->seed);
    state_->blocks_left = kBlocksPerSeed;
  }
  --state_->blocks_left;
  if (!cipher_->encrypt(state_->seed, state_->block)) {
    wipe(state_, sizeof(State));
    no_cipher();
  }
  static_assert(sizeof(Seed) % sizeof(uint64_t) == 0);
  std::memcpy(state_->seed.data(), state_->block, sizeof(Seed));
  wipe(state_->block, sizeof(Seed));
  state_->left = kBlockWords - sizeof(Seed) / sizeof(uint64_t);
}

void SecureRandom::fill(std::span<uint64_t> out) {
  while (!out.empty()) {
    if (state_->left == 0) refill();
    const size_t count = std::min<size_t>(out.size(), state_->left);
    uint64_t* first = state_->block + (kBlockWords - state_->left);
    std::memcpy(out.data(), first, count * sizeof(uint64_t));
    std::memset(first, 0, count * sizeof(uint64_t));  // read again by the next refill, so not optimised away
    state_->left -= count;
    out = out.subspan(count);
  }
}

}  // namespace fugu::inline in_sample
