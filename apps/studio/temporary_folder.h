// A folder of its own in TMPDIR, mode 0700, gone with everything in it when this ends. What a studio that was
// killed left behind goes when the next one starts.
#pragma once

#include <filesystem>

namespace fugu::studio {

class TemporaryFolder {
 public:
  // Error (io) when none can be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  void remove();

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // the folder itself, locked as long as this process lives
};

// Removes this user's folders of studios in `place` that no process holds. Another folder of such a name
// stays.
void remove_abandoned(const std::filesystem::path& place);

}  // namespace fugu::studio
