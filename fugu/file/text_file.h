// Files read whole.
#pragma once

#include <string>

namespace fugu::inline in_file {

// The whole file; "-" is standard input. Error (io) when it is missing, a directory or cannot be read;
// Error (data) when it is larger than 1 GiB.
std::string read_text(const std::string& path);

// Whether both name one file. False when either does not exist.
bool same_file(const std::string& a, const std::string& b);

}  // namespace fugu::inline in_file
