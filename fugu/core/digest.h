// SHA-256 of text, as "sha256:<hex>".
#pragma once

#include <string>
#include <string_view>

namespace fugu {

std::string sha256(std::string_view text);

}  // namespace fugu
