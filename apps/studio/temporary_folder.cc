#include "apps/studio/temporary_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "fugu/core/error.h"

namespace fugu::studio {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "fugu-studio-";
constexpr const char* kMark = ".made-by-a-fugu-studio";  // a folder without it may be anybody's

Error no_folder() {
  return Error(ErrorKind::kIo, "TMPDIR: no folder for dropped tables can be made there",
               "set TMPDIR to a folder that can be written");
}

int open_folder(const fs::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool is_ours(int folder) {
  struct stat status {};
  return ::fstat(folder, &status) == 0 && status.st_uid == ::geteuid();
}

bool is_of_a_studio(int folder) {
  struct stat mark {};
  return ::fstatat(folder, kMark, &mark, AT_SYMLINK_NOFOLLOW) == 0;
}

}  // namespace

void remove_abandoned(const fs::path& place) {
  std::error_code failed;
  for (fs::directory_iterator entry(place, failed), end; !failed && entry != end; entry.increment(failed)) {
    if (!entry->path().filename().string().starts_with(kPrefix)) continue;
    const int folder = open_folder(entry->path());
    if (folder < 0) continue;
    std::error_code ignored;
    if (is_ours(folder) && is_of_a_studio(folder) && ::flock(folder, LOCK_EX | LOCK_NB) == 0)
      fs::remove_all(entry->path(), ignored);
    ::close(folder);
  }
}

TemporaryFolder::TemporaryFolder() {
  std::error_code failed;
  const fs::path place = fs::temp_directory_path(failed);
  if (failed) throw no_folder();
  remove_abandoned(place);
  std::string pattern = (place / kPrefix).string() + "XXXXXX";
  if (!::mkdtemp(pattern.data())) throw no_folder();
  path_ = pattern;
  lock_ = open_folder(path_);
  // Locked before it is marked: what is marked and not locked has been left behind. Where a file system has
  // no locks, nobody can take it for abandoned either.
  const bool locked = lock_ >= 0 && ::flock(lock_, LOCK_EX) == 0;
  const int mark = locked ? ::openat(lock_, kMark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
  if (mark >= 0) ::close(mark);
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
