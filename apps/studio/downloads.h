// What the page may download: files that a release wrote, and texts that are made when they are asked for.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "fugu/core/json.h"

namespace fugu::studio {

struct Download {
  std::string id;
  std::string name;                        // of the file that the browser saves
  std::string type;                        // of its contents
  std::string path = {};                   // where it lies; else
  std::function<std::string()> make = {};  // its text
};

class Downloads {
 public:
  enum class Kept { kAWhile, kUntilForgotten };

  // {"id", "name"}. Of those that are kept a while the last hundred are.
  Json add(Download download, Kept kept = Kept::kAWhile);
  // None of these is there any more: an object of what add() returned.
  void forget(const Json& files);
  std::optional<Download> find(const std::string& id);

 private:
  std::mutex mutex_;
  std::list<Download> passing_, lasting_;  // newest first
  uint64_t next_ = 1;
};

// The value of Content-Disposition: saved under its name, never shown.
std::string attachment(const std::string& name);

}  // namespace fugu::studio
