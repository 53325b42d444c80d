// SHA-256, as "sha256:<hex>".
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace fugu::inline in_core {

std::string sha256(std::string_view text);

// The same as a content policy writes it: "sha256-<base64>".
std::string sha256_of_content(std::string_view text);

// The same of text that comes in parts.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  void add(std::string_view part);
  std::string finish();  // once, last

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// HMAC-SHA-256 (RFC 2104): without the key its values look drawn at random.
class HmacSha256 {
 public:
  using Mac = std::array<unsigned char, 32>;

  explicit HmacSha256(std::string_view key);  // at most 64 bytes
  ~HmacSha256();
  HmacSha256(const HmacSha256&) = delete;
  HmacSha256& operator=(const HmacSha256&) = delete;

  Mac of(std::string_view message) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fugu::inline in_core
