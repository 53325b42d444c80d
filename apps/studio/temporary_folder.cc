#include "apps/studio/temporary_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "fugu/core/error.h"

namespace fugu::studio {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "fugu-studio-";

Error no_folder() {
  return Error(ErrorKind::kIo, "TMPDIR: no folder for dropped tables can be made there",
               "set TMPDIR to a folder that can be written");
}

int open_folder(const fs::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// Whether the path still leads to what was opened.
bool still_there(int folder, const fs::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(folder, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

bool is_ours(int folder) {
  struct stat status {};
  return ::fstat(folder, &status) == 0 && status.st_uid == ::geteuid();
}

}  // namespace

void remove_abandoned(const fs::path& place) {
  std::error_code failed;
  for (fs::directory_iterator entry(place, failed), end; !failed && entry != end; entry.increment(failed)) {
    if (!entry->path().filename().string().starts_with(kPrefix)) continue;
    const int folder = open_folder(entry->path());
    if (folder < 0) continue;
    std::error_code ignored;
    if (is_ours(folder) && ::flock(folder, LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry->path(), ignored);
    ::close(folder);
  }
}

// False when it has to be tried again: another studio took the folder for an abandoned one, in the moment
// before it was locked.
bool TemporaryFolder::make_and_lock(const fs::path& place) {
  std::string pattern = (place / kPrefix).string() + "XXXXXX";
  if (!::mkdtemp(pattern.data())) throw no_folder();
  path_ = pattern;
  lock_ = open_folder(path_);
  ::flock(lock_, LOCK_EX);  // where a file system has no locks, nobody can take it for abandoned either
  if (still_there(lock_, path_)) return true;
  if (lock_ >= 0) ::close(lock_);
  return false;
}

TemporaryFolder::TemporaryFolder() {
  std::error_code failed;
  const fs::path place = fs::temp_directory_path(failed);
  if (failed) throw no_folder();
  remove_abandoned(place);
  while (!make_and_lock(place)) {
  }
}

TemporaryFolder::~TemporaryFolder() {
  remove();
  if (lock_ >= 0) ::close(lock_);
}

void TemporaryFolder::remove() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace fugu::studio
