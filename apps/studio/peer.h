// Whose program is at the other end of a connection over the loopback address.
//
// TCP carries no user, but the kernel lists every socket of this machine with its owner. Whoever else works
// on it can reach 127.0.0.1, and is refused before a byte of the request is read.
#pragma once

#include <sys/types.h>

#include <istream>
#include <optional>

namespace fugu::studio {

// The owner of the socket with `port` that is connected to `own_port` of 127.0.0.1, by a list like
// /proc/net/tcp or /proc/net/tcp6. Absent where it is not listed, or no program holds it any more: its owner
// is then listed as root.
std::optional<uid_t> owner_in(std::istream& list, int port, int own_port);

// The same of the other end of a connected socket, by the kernel's lists. Absent for other kinds of sockets,
// too, and where there are no lists.
std::optional<uid_t> peer_user(int socket);

// Whether the other end is certainly another user's: neither this one's nor root's. What cannot be told is
// no.
bool is_another_users(int socket);

}  // namespace fugu::studio
