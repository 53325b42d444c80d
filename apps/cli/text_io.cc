#include "apps/cli/text_io.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "fugu/core/error.h"
#include "fugu/table/byte_source.h"

namespace fugu::cli {
namespace {

Error io_error(const std::string& place, int number, const std::string& hint) {
  return Error(ErrorKind::kIo, fmt::format("{}: {}", place, std::strerror(number)), hint);
}

void write_all(int file, std::string_view text, const std::string& place, const std::string& hint) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw io_error(place, errno, hint);
    text.remove_prefix(static_cast<size_t>(written));
  }
}

// A file that is removed again unless it was put in place.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& target, Access access) : path_(target + ".XXXXXX"), target_(target) {
    file_ = ::mkstemp(path_.data());
    if (file_ < 0) throw failure();
    if (access == Access::kPublic) {
      const mode_t mask = ::umask(0);
      ::umask(mask);
      ::fchmod(file_, 0666 & ~mask);
    }
  }
  ~TemporaryFile() {
    if (file_ >= 0) ::close(file_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(std::string_view text) {
    write_all(file_, text, target_, kHint);
    if (::fsync(file_) != 0 && errno != EINVAL) throw failure();
    if (::close(std::exchange(file_, -1)) != 0) throw failure();
  }

  void replace_target() {
    if (::rename(path_.c_str(), target_.c_str()) != 0) throw failure();
    path_.clear();
  }

  // False when the target exists. A link, unlike a rename, never replaces what came in between.
  bool become_target() {
    if (::link(path_.c_str(), target_.c_str()) == 0) return true;
    if (errno == EEXIST) return false;
    replace_target();  // file systems without links
    return true;
  }

 private:
  static constexpr const char* kHint = "check the folder, its permissions and the space left";
  Error failure() const { return io_error(target_, errno, kHint); }

  std::string path_;
  std::string target_;
  int file_ = -1;
};

void sync_folder(const std::filesystem::path& folder) {
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);  // not every file system can; the file itself is synced
  ::close(file);
}

std::filesystem::path folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

// Where a link leads: it is the file behind that is replaced.
std::string behind_links(const std::string& path) {
  std::error_code failed;
  const auto real = std::filesystem::canonical(path, failed);
  return failed ? path : real.string();
}

Error exists(const std::string& path) {
  return Error(ErrorKind::kUsage, path + ": the file exists", "give another name, or --force to replace it");
}

}  // namespace

void print(std::string_view text) {
  write_all(STDOUT_FILENO, text, "standard output", "check where it goes: a pipe that ended, or a full disk");
}

std::string read_text(const std::string& path) {
  ByteSource source(path);
  std::string text, block(size_t{1} << 16, '\0');
  while (const size_t size = source.read(block.data(), block.size())) text.append(block, 0, size);
  return text;
}

void OutputFile::check() const {
  if (path.empty()) throw Error(ErrorKind::kUsage, "--output: the name is empty", "give a file name");
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      throw Error(ErrorKind::kUsage, path + ": this is a folder", "give the name of a file in it");
    }
    if (!S_ISREG(status.st_mode)) {
      throw Error(ErrorKind::kUsage, path + ": this is not a regular file",
                  "give a file name, or - for standard output");
    }
    if (!force) throw exists(path);
  } else if (errno != ENOENT) {
    throw io_error(path, errno, "check the path and its permissions");
  } else if (!std::filesystem::is_directory(folder_of(path))) {
    throw Error(ErrorKind::kIo, path + ": its folder does not exist", "make the folder first");
  }
}

void OutputFile::write(std::string_view text) const {
  check();
  const std::string target = behind_links(path);
  TemporaryFile file(target, access);
  file.write(text);
  if (force) {
    file.replace_target();
  } else if (!file.become_target()) {
    throw exists(path);
  }
  sync_folder(folder_of(target));
}

}  // namespace fugu::cli
