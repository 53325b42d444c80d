#include "apps/studio/connection.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

namespace fugu::studio {
namespace {

int status_of(const std::string& text, Head* out = nullptr) {
  Head head;
  const HeadVerdict verdict = read_head(text, Limits{}, "/up", head);
  if (out) *out = head;
  return verdict.status;
}

TEST(Head, SaysHowLongTheBodyIs) {
  Head head;
  EXPECT_EQ(status_of("POST /up?x=1 HTTP/1.1\r\nHost: a\r\ncontent-length:  12 \r\n\r\n", &head), 0);
  EXPECT_EQ(head.method, "POST");
  EXPECT_EQ(head.path, "/up");
  EXPECT_EQ(head.body, 12U);
}

TEST(Head, BodiesAreBoundedByTheirPath) {
  const std::string mib = std::to_string(1 << 20), more = std::to_string((1 << 20) + 1);
  EXPECT_EQ(status_of("POST /a HTTP/1.1\r\nContent-Length: " + mib + "\r\n\r\n"), 0);
  EXPECT_EQ(status_of("POST /a HTTP/1.1\r\nContent-Length: " + more + "\r\n\r\n"), 413);
  EXPECT_EQ(status_of("POST /up HTTP/1.1\r\nContent-Length: " + more + "\r\n\r\n"), 0);
  EXPECT_EQ(status_of("POST /up HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n"), 413);
}

TEST(Head, WhatCouldBeReadTwoWaysIsRefused) {
  EXPECT_EQ(status_of("POST /a HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n"), 400);
  for (const char* length : {"-1", "+1", "1,1", "0x1", "", "99999999999999999999999"})
    EXPECT_EQ(status_of(std::string("POST /a HTTP/1.1\r\nContent-Length: ") + length + "\r\n\r\n"), 400)
        << length;
  EXPECT_EQ(status_of("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"), 411);
  EXPECT_EQ(status_of("POST /a HTTP/1.1\r\nContent-Encoding: gzip\r\n\r\n"), 415);
  EXPECT_EQ(status_of("GET /a HTTP/1.1\r\nRange: bytes=0-1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET /a HTTP/1.1\r\n folded: x\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET /a HTTP/1.1\r\nno colon\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET http://evil.example/ HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET /a\r\n\r\n"), 400);
  EXPECT_EQ(status_of("GET /a HTTP/1.1\r\nA: b\nC: d\r\n\r\n"), 400);
}

TEST(Head, LinesAreBounded) {
  EXPECT_EQ(status_of("GET /a HTTP/1.1\r\nX: " + std::string(4096, 'x') + "\r\n\r\n"), 431);
  EXPECT_EQ(status_of("GET /" + std::string(5000, 'x') + " HTTP/1.1\r\n\r\n"), 431);
}

// Both ends of a connection.
struct Wire {
  Wire() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0); }
  ~Wire() {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  void send(const std::string& text) {
    EXPECT_EQ(::send(ends[1], text.data(), text.size(), 0), ssize_t(text.size()));
  }
  std::string answer() {
    char bytes[256];
    const ssize_t got = ::recv(ends[1], bytes, sizeof bytes, MSG_DONTWAIT);
    return got > 0 ? std::string(bytes, got) : "";
  }
  int ends[2];
};

constexpr auto kNever = [] { return false; };

TEST(GuardedStream, GivesTheHeadAndTheBodyAndNoMore) {
  Wire wire;
  wire.send("POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n\r\n");
  const Limits limits;
  GuardedStream stream(wire.ends[0], limits, "/up", kNever);
  ASSERT_TRUE(stream.next_head());
  std::string read;
  char byte;
  while (stream.read(&byte, 1) == 1) read += byte;
  EXPECT_EQ(read, "POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_TRUE(stream.body_done());
  ASSERT_TRUE(stream.next_head());
  EXPECT_EQ(stream.read(&byte, 1), 1);
  EXPECT_EQ(byte, 'G');
}

TEST(GuardedStream, ABodyThatIsLeftIsKnown) {
  Wire wire;
  wire.send("POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nab");
  const Limits limits;
  GuardedStream stream(wire.ends[0], limits, "/up", kNever);
  ASSERT_TRUE(stream.next_head());
  char bytes[64];
  ASSERT_GT(stream.read(bytes, sizeof bytes), 0);
  EXPECT_FALSE(stream.body_done());
}

TEST(GuardedStream, ABigHeadIsRefused) {
  Wire wire;
  std::string head = "GET / HTTP/1.1\r\n";
  while (head.size() < 17000) head += "X: " + std::string(100, 'x') + "\r\n";
  wire.send(head);
  const Limits limits;
  GuardedStream stream(wire.ends[0], limits, "/up", kNever);
  EXPECT_FALSE(stream.next_head());
  EXPECT_NE(wire.answer().find("431"), std::string::npos);
}

TEST(GuardedStream, ASlowHeadIsCutOffHoweverOftenAByteComes) {
  Wire wire;
  Limits limits;
  limits.head_time = std::chrono::milliseconds(300);
  GuardedStream stream(wire.ends[0], limits, "/up", kNever);
  std::atomic<bool> done = false;
  std::thread dripping([&] {
    while (!done) {
      (void)!::send(wire.ends[1], "G", 1, MSG_NOSIGNAL);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  });
  EXPECT_FALSE(stream.next_head());
  done = true;
  dripping.join();
  EXPECT_NE(wire.answer().find("408"), std::string::npos);
}

TEST(GuardedStream, ASlowBodyIsCutOff) {
  Wire wire;
  Limits limits;
  limits.body_grace = std::chrono::milliseconds(200);
  limits.body_rate = 1 << 20;
  GuardedStream stream(wire.ends[0], limits, "/up", kNever);
  wire.send("POST /a HTTP/1.1\r\nContent-Length: 100000\r\n\r\n");
  ASSERT_TRUE(stream.next_head());
  std::atomic<bool> done = false;
  std::thread dripping([&] {
    while (!done) {
      (void)!::send(wire.ends[1], "x", 1, MSG_NOSIGNAL);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  });
  char byte;
  while (stream.read(&byte, 1) == 1) {
  }
  EXPECT_FALSE(stream.body_done());
  done = true;
  dripping.join();
}

}  // namespace
}  // namespace fugu::studio
