// The secret of one run of the studio, which its address holds.
#pragma once

#include <string>
#include <string_view>

namespace fugu::studio {

// 256 bits that no one can predict, as 64 hexadecimal digits. Error (io) without a secure source.
std::string random_token();

// Whether the texts are the same, in a time that does not tell where they differ.
bool same_token(std::string_view a, std::string_view b);

}  // namespace fugu::studio
