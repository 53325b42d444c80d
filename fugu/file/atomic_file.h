// A file that appears under its name only when it is whole. Until then it is the owner's alone (mode 0600),
// in the folder of its name. A symbolic link of that name is never followed.
//
//   AtomicFile file("out.csv", {.force = false});
//   write(file.descriptor(), …);
//   file.commit();                 // without it nothing is left behind, whatever ends the program
#pragma once

#include <sys/types.h>

#include <string>

namespace fugu::inline in_file {

struct FileOptions {
  bool force = false;         // may replace an existing file
  bool owner_only = false;    // mode 0600 in place of public_mode(path), once it is whole
  std::string option = "-o";  // for messages: what named it
};

class AtomicFile {
 public:
  // Checks the name and opens an unnamed file in its folder. Error (usage): it exists and force is not set,
  // it is a folder, a symbolic link or another thing that is no regular file. Error (io): its folder is
  // missing or cannot be written.
  AtomicFile(const std::string& path, const FileOptions& options);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  int descriptor() const { return file_; }
  const std::string& path() const { return path_; }
  // Puts what was written on the disk, where it is yet unseen. Error (io).
  void sync();
  // Syncs the contents and puts them in place in one step: a reader sees the old file, or none, or the new
  // one whole. Whatever ends the program meanwhile, no other name is left, but where a file is replaced or
  // the file system has no unnamed files: then it may be PATH.PID-K. Error (usage) when a file of that name
  // came in between and force is not set; Error (io).
  void commit();
  // Removes what commit() put in place, if it is still there: for whoever fails at the next of several files.
  void take_back() noexcept;

  // The checks of the constructor, before long work.
  static void check(const std::string& path, const FileOptions& options);

 private:
  bool link_as(const std::string& name);
  void give_temporary_name();
  void rename_to_path();

  std::string path_;       // as the user gave it
  std::string temporary_;  // while the file has a name that is not its own
  dev_t device_ = 0;       // which file it is, once it is in place
  ino_t number_ = 0;
  FileOptions options_;
  mode_t mode_;  // once it is whole: what it replaces may be set aside by then
  int file_ = -1;
};

// 0666 less the process's umask: what a file may be that everybody may see.
mode_t public_mode();
// The same of what takes the place of the file at `path`, where there is one: no more than that one may be.
mode_t public_mode(const std::string& path);

// PATH.PID-K, as a file is called that is not yet, or no more, in place.
std::string temporary_name(const std::string& path, int k);

// "." where the path names none.
std::string folder_of(const std::string& path);

// All of `text`, whatever write(2) takes at once. Error (io), its message beginning with `place`.
void write_all(int file, const char* text, size_t size, const std::string& place);

}  // namespace fugu::inline in_file
