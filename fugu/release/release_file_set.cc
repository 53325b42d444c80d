#include "fugu/release/release_file_set.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "fugu/core/error.h"
#include "fugu/core/json_read.h"
#include "fugu/file/atomic_file.h"
#include "fugu/file/text_file.h"

namespace fugu::inline in_release {
namespace {

// Whether it was moved and nothing was replaced.
bool moves(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  // This file system renames only what may replace.
  if (::access(to.c_str(), F_OK) == 0) {
    errno = EEXIST;
    return false;
  }
  return ::rename(from.c_str(), to.c_str()) == 0;
}

bool holds(const std::string& path, const Plan& plan) {
  try {
    return plan_from_json(parse_json(read_text(path), path), path) == plan;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

SetAside::~SetAside() {
  for (const auto& [from, to] : moved_) moves(to, from);
}

void SetAside::add(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 && errno == ENOENT) return;
  if (S_ISDIR(status.st_mode)) throw usage(path + ": this is a folder", "give the output another name");
  for (int k = 0; k < 100; ++k) {
    const std::string name = temporary_name(path, k);
    if (moves(path, name)) {
      moved_.emplace_back(path, name);
      return;
    }
    if (errno != EEXIST) break;
  }
  throw Error(ErrorKind::kIo, fmt::format("{}: {}", path, std::strerror(errno)),
              "check the folder and its permissions");
}

void SetAside::add_plan(const std::string& path, const Plan* kept) {
  if (!kept || !holds(path, *kept)) add(path);
}

void SetAside::remove() {
  for (const auto& [from, to] : moved_) ::unlink(to.c_str());
  moved_.clear();
}

}  // namespace fugu::inline in_release
