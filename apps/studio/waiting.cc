#include "apps/studio/waiting.h"

#include <sys/socket.h>

#include <algorithm>
#include <tuple>

namespace fugu::studio {

Waiting::Stay::Stay(Waiting& waiting, int socket, bool served) : waiting_(waiting), socket_(socket) {
  const std::lock_guard lock(waiting_.mutex_);
  waiting_.entries_[socket_] = {served, waiting_.next_++};
}

Waiting::Stay::~Stay() {
  const std::lock_guard lock(waiting_.mutex_);
  waiting_.entries_.erase(socket_);
}

bool Waiting::end_oldest() {
  const std::lock_guard lock(mutex_);
  const auto oldest = std::min_element(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
    return std::tie(a.second.served, a.second.turn) < std::tie(b.second.served, b.second.turn);
  });
  if (oldest == entries_.end()) return false;
  // Its thread closes it, and only after it has left this list: the number is no other connection's yet.
  ::shutdown(oldest->first, SHUT_RDWR);
  entries_.erase(oldest);
  return true;
}

}  // namespace fugu::studio
