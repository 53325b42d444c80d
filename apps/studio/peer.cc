#include "apps/studio/peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace fugu::studio {
namespace {

// 127.0.0.1 as the lists write it, alone and within IPv6.
constexpr std::string_view kLoopbackInHex = "0100007F";
constexpr std::string_view kMapped = "0000000000000000FFFF00000100007F";

std::optional<int> port_of(std::string_view end) {
  const size_t colon = end.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view text = end.substr(colon + 1);
  int port = 0;
  const auto [last, failed] = std::from_chars(text.data(), text.data() + text.size(), port, 16);
  if (failed != std::errc() || last != text.data() + text.size()) return std::nullopt;
  return port;
}

bool is_loopback(std::string_view end) {
  const std::string_view address = end.substr(0, end.find(':'));
  return address == kLoopbackInHex || address == kMapped;
}

std::optional<int> port_at(int socket, int (*name)(int, sockaddr*, socklen_t*)) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (name(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0 || address.sin_family != AF_INET)
    return std::nullopt;
  return ntohs(address.sin_port);
}

}  // namespace

std::optional<uid_t> owner_in(std::istream& list, int port, int own_port) {
  std::string line;
  std::getline(list, line);  // the names of the columns
  while (std::getline(list, line)) {
    std::istringstream fields(line);
    std::string number, local, remote, state, queues, timer, retransmitted;
    uid_t user = 0;
    uint64_t timeout = 0, inode = 0;
    if (!(fields >> number >> local >> remote >> state >> queues >> timer >> retransmitted >> user >>
          timeout >> inode))
      continue;
    if (port_of(local) == port && port_of(remote) == own_port && is_loopback(local) && is_loopback(remote))
      return inode == 0 ? std::nullopt : std::optional(user);
  }
  return std::nullopt;
}

std::optional<uid_t> peer_user(int socket) {
  const auto port = port_at(socket, ::getpeername), own_port = port_at(socket, ::getsockname);
  if (!port || !own_port) return std::nullopt;
  for (const char* path : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream list(path);
    if (const auto user = owner_in(list, *port, *own_port)) return user;
  }
  return std::nullopt;
}

bool is_another_users(int socket) {
  const auto user = peer_user(socket);
  return user && *user != 0 && *user != ::geteuid();
}

}  // namespace fugu::studio
