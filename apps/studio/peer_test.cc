#include "apps/studio/peer.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <sstream>

namespace fugu::studio {
namespace {

constexpr const char* kList =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 7 1 0\n"
    "   1: 0100007F:1F90 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 8 1 0\n"
    "   2: 0100007F:C001 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 9 1 0\n"
    "   3: 0100007F:C002 0100007F:1F90 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0\n"
    "   4: 0200007F:C003 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1002        0 9 1 0\n"
    "   5: 0000000000000000FFFF00000100007F:C004 0000000000000000FFFF00000100007F:1F90 01 "
    "00000000:00000000 00:00000000 00000000  1003        0 9 1 0\n"
    "broken\n";

std::optional<uid_t> owner(int port) {
  std::istringstream list(kList);
  return owner_in(list, port, 0x1F90);
}

TEST(Peer, IsWhoeverOwnsTheOtherEnd) {
  EXPECT_EQ(owner(0xC001), 1001U);
  EXPECT_EQ(owner(0xC004), 1003U) << "an IPv6 socket may speak to an IPv4 one";
  EXPECT_EQ(owner(0xC002), std::nullopt) << "closed already, and listed as root's";
  EXPECT_EQ(owner(0xC003), std::nullopt) << "of another address";
  EXPECT_EQ(owner(0xC005), std::nullopt);
  EXPECT_EQ(owner(0x1F90), std::nullopt) << "the one that listens is connected to nobody";
}

TEST(Peer, OfAConnectionOfThisProgramIsThisUser) {
  const int listening = ::socket(AF_INET, SOCK_STREAM, 0), calling = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* plain = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(::bind(listening, plain, size), 0);
  ASSERT_EQ(::listen(listening, 1), 0);
  ASSERT_EQ(::getsockname(listening, plain, &size), 0);
  ASSERT_EQ(::connect(calling, plain, size), 0);
  const int taken = ::accept(listening, nullptr, nullptr);
  EXPECT_EQ(peer_user(taken), ::geteuid());
  EXPECT_FALSE(is_another_users(taken));
  for (const int socket : {listening, calling, taken}) ::close(socket);
}

TEST(Peer, OfAnotherKindOfSocketIsNotTold) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  EXPECT_EQ(peer_user(ends[0]), std::nullopt);
  EXPECT_FALSE(is_another_users(ends[0]));
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace fugu::studio
