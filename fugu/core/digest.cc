#include "fugu/core/digest.h"

#include <openssl/evp.h>

#include <array>

#include "fugu/core/error.h"

namespace fugu {

std::string sha256(std::string_view text) {
  std::array<unsigned char, 32> hash{};
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), hash.data(), &size, EVP_sha256(), nullptr) != 1 || size != 32) {
    throw Error(ErrorKind::kBug, "OpenSSL could not compute a SHA-256 digest",
                "check the OpenSSL installation");
  }
  static constexpr char kHex[] = "0123456789abcdef";
  std::string result = "sha256:";
  for (unsigned char byte : hash) {
    result += kHex[byte >> 4];
    result += kHex[byte & 15];
  }
  return result;
}

}  // namespace fugu
