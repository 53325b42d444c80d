#include "apps/studio/waiting.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <optional>

namespace fugu::studio {
namespace {

// A connection that waits; ended() when the other end was closed.
struct Connection {
  Connection(Waiting& waiting, bool served) {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    stay.emplace(waiting, ends[0], served);
  }
  ~Connection() {
    stay.reset();
    ::close(ends[0]);
    ::close(ends[1]);
  }
  bool ended() const {
    char byte;
    return ::recv(ends[0], &byte, 1, MSG_DONTWAIT) == 0;
  }
  int ends[2];
  std::optional<Waiting::Stay> stay;
};

TEST(Waiting, EndsTheOldestThatNeverAskedFirst) {
  Waiting waiting;
  EXPECT_FALSE(waiting.end_oldest());
  Connection page(waiting, true), first(waiting, false), second(waiting, false);
  EXPECT_TRUE(waiting.end_oldest());
  EXPECT_TRUE(first.ended() && !second.ended() && !page.ended());
  EXPECT_TRUE(waiting.end_oldest());
  EXPECT_TRUE(second.ended() && !page.ended());
  EXPECT_TRUE(waiting.end_oldest());
  EXPECT_TRUE(page.ended());
  EXPECT_FALSE(waiting.end_oldest()) << "each is ended once";
}

TEST(Waiting, EndsNoneThatIsServed) {
  Waiting waiting;
  Connection one(waiting, false);
  one.stay.reset();
  EXPECT_FALSE(waiting.end_oldest());
  EXPECT_FALSE(one.ended());
}

}  // namespace
}  // namespace fugu::studio
