// The studio: a page on this machine, for its user alone, in front of the same core as the command line.
//
//   Studio studio(settings);
//   print(studio.address());
//   studio.serve();  // until quit() is called from another thread
#pragma once

#include <memory>
#include <string>

#include "apps/studio/settings.h"

namespace fugu::studio {

class Studio {
 public:
  // Binds the port on 127.0.0.1. Error (io) when it cannot, Error (usage) when the folder is none.
  explicit Studio(Settings settings);
  ~Studio();
  Studio(const Studio&) = delete;
  Studio& operator=(const Studio&) = delete;

  // It holds the token: whoever has it may use the studio.
  std::string address() const;
  // A file that leads a browser to the address: what a process is started with can be seen by others.
  std::string opening_file() const;

  void serve();
  // Any thread. Running work is cancelled.
  void quit();
  // After quit(): whether all work has ended within a moment. Else what lies in temporary folders is removed,
  // and the process must end at once: work that does not look up would go on.
  bool ended();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fugu::studio
