#include "fugu/core/digest.h"

#include <openssl/evp.h>

#include <array>

#include "fugu/core/error.h"

namespace fugu::inline in_core {

struct Sha256::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

namespace {

void require(bool success) {
  if (success) return;
  throw Error(ErrorKind::kBug, "OpenSSL could not compute a SHA-256 digest",
              "check the OpenSSL installation");
}

}  // namespace

Sha256::Sha256() : state_(std::make_unique<State>()) {
  require(state_->context && EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view part) {
  require(EVP_DigestUpdate(state_->context, part.data(), part.size()) == 1);
}

std::string Sha256::finish() {
  std::array<unsigned char, 32> hash{};
  unsigned size = 0;
  require(EVP_DigestFinal_ex(state_->context, hash.data(), &size) == 1 && size == hash.size());
  static constexpr char kHex[] = "0123456789abcdef";
  std::string result = "sha256:";
  for (unsigned char byte : hash) {
    result += kHex[byte >> 4];
    result += kHex[byte & 15];
  }
  return result;
}

struct HmacSha256::State {
  EVP_MD_CTX *inner = EVP_MD_CTX_new(), *outer = EVP_MD_CTX_new(), *work = EVP_MD_CTX_new();
  ~State() {
    EVP_MD_CTX_free(inner);
    EVP_MD_CTX_free(outer);
    EVP_MD_CTX_free(work);
  }
};

HmacSha256::HmacSha256(std::string_view key) : state_(std::make_unique<State>()) {
  constexpr size_t kBlock = 64;
  auto begin = [&](EVP_MD_CTX* context, unsigned char pad) {
    std::array<unsigned char, kBlock> block{};
    for (size_t k = 0; k < kBlock; ++k)
      block[k] = static_cast<unsigned char>((k < key.size() ? static_cast<unsigned char>(key[k]) : 0) ^ pad);
    require(context && EVP_DigestInit_ex(context, EVP_sha256(), nullptr) == 1 &&
            EVP_DigestUpdate(context, block.data(), block.size()) == 1);
  };
  require(key.size() <= kBlock && state_->work != nullptr);
  begin(state_->inner, 0x36);
  begin(state_->outer, 0x5c);
}

HmacSha256::~HmacSha256() = default;

HmacSha256::Mac HmacSha256::of(std::string_view message) const {
  Mac mac{};
  unsigned size = 0;
  EVP_MD_CTX* work = state_->work;
  require(EVP_MD_CTX_copy_ex(work, state_->inner) == 1 &&
          EVP_DigestUpdate(work, message.data(), message.size()) == 1 &&
          EVP_DigestFinal_ex(work, mac.data(), &size) == 1 && EVP_MD_CTX_copy_ex(work, state_->outer) == 1 &&
          EVP_DigestUpdate(work, mac.data(), mac.size()) == 1 &&
          EVP_DigestFinal_ex(work, mac.data(), &size) == 1 && size == mac.size());
  return mac;
}

std::string sha256_of_content(std::string_view text) {
  std::array<unsigned char, 32> hash{};
  unsigned size = 0;
  require(EVP_Digest(text.data(), text.size(), hash.data(), &size, EVP_sha256(), nullptr) == 1);
  std::array<unsigned char, 48> base64{};  // 44 letters and a zero
  const int length = EVP_EncodeBlock(base64.data(), hash.data(), static_cast<int>(hash.size()));
  return "sha256-" + std::string(base64.begin(), base64.begin() + length);
}

std::string sha256(std::string_view text) {
  Sha256 hash;
  hash.add(text);
  return hash.finish();
}

}  // namespace fugu::inline in_core
