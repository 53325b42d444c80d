#include "apps/studio/token.h"

#include <fmt/format.h>
#include <openssl/crypto.h>

#include "fugu/sample/random.h"

namespace fugu::studio {

std::string random_token() {
  SecureRandom random;
  std::string text;
  for (int word = 0; word < 4; ++word) text += fmt::format("{:016x}", random.word());
  return text;
}

bool same_token(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace fugu::studio
