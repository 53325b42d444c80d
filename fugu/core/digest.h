// SHA-256, as "sha256:<hex>".
#pragma once

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

}  // namespace fugu::inline in_core
