// The digest of a file's bytes as they stand on the disk.
#pragma once

#include <string>

namespace fugu::inline in_file {

// SHA-256. Error (io).
std::string digest_of_file(const std::string& path);

}  // namespace fugu::inline in_file
