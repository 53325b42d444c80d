// The HTTP library's server with guarded connections of this user's programs, bounded in number, each with a
// thread of a pool.
#pragma once

#include <httplib.h>

#include <atomic>
#include <string>

#include "apps/studio/connection.h"
#include "apps/studio/waiting.h"

namespace fugu::studio {

class HttpServer : public httplib::Server {
 public:
  HttpServer(const Limits& limits, std::string upload_path);

  // After it is bound: more connections may wait to be accepted than the library lets.
  void widen_queue();
  // Ends every wait, and listening, even one that has not begun.
  void quit();
  bool quitting() const { return quitting_; }

  // All requests of one connection, in the thread that calls; true when the last was served.
  bool process_and_close_socket(int socket) override;

 private:
  bool refuse_another_user(GuardedStream& stream);

  const Limits limits_;
  const std::string upload_path_;
  Waiting waiting_;
  std::atomic<bool> quitting_ = false;
};

}  // namespace fugu::studio
