// One connection, with limits that the HTTP library does not have: how long a request may take to arrive, how
// long its head and its body may be.
//
// The library waits for each byte anew, so that a byte now and then keeps it waiting for ever, and it reads
// as many headers as are sent. Here the head is read first, whole, within a time and a size; the body must
// come at a rate.
#pragma once

#include <httplib.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace fugu::studio {

struct Limits {
  std::chrono::milliseconds head_time{10000};  // for the whole head
  std::chrono::milliseconds idle_time{15000};  // between requests
  std::chrono::milliseconds body_grace{10000};
  uint64_t body_rate = 64 << 10;  // bytes a second, after the grace
  std::chrono::milliseconds write_time{30000};
  size_t head_size = 16 << 10;
  size_t line_size = 4 << 10;
  uint64_t json_size = 1 << 20;
  uint64_t upload_size = uint64_t{2} << 30;
  size_t connections = 64;
};

// What the head of a request says of its body.
struct Head {
  std::string method;
  std::string path;
  uint64_t body = 0;  // bytes
};

// A status other than 0 refuses the request before the library sees it.
struct HeadVerdict {
  int status = 0;
  const char* reason = "";
};

// Checks the head, the blank line included: lines not too long, one plain length at most, no encodings of the
// body, no ranges of ranges; a body within the limit of its path, which is another for those that end like an
// upload's.
HeadVerdict read_head(std::string_view text, const Limits& limits, const std::string& upload_path,
                      Head& head);

class GuardedStream : public httplib::Stream {
 public:
  GuardedStream(int socket, const Limits& limits, std::string upload_path, std::function<bool()> stopping);

  // Waits for the next request and reads its head. False when the connection is to be closed: it ended, was
  // idle too long, or was refused, in which case the refusal is sent.
  bool next_head();
  // Whether the body of the request was read to its end: else the connection cannot serve another.
  bool body_done() const { return body_left_ == 0; }

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* to, size_t size) override;
  ssize_t write(const char* from, size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  int socket() const override { return socket_; }

  void refuse(int status, const char* reason);
  // Reads what the client still sends for a moment: closed at once, the connection would be reset and the
  // answer lost.
  void linger();

 private:
  using Clock = std::chrono::steady_clock;
  bool wait(short events, Clock::time_point until) const;
  // More bytes into the buffer, at most `most` in all. False at the end or when it is too late.
  bool receive(size_t most, Clock::time_point until);
  Clock::time_point body_deadline() const;

  int socket_;
  const Limits& limits_;
  std::string upload_path_;
  std::function<bool()> stopping_;
  std::string buffer_;    // received and not yet read
  size_t begin_ = 0;      // of it, already read
  size_t head_left_ = 0;  // of the head
  uint64_t body_left_ = 0;
  uint64_t body_read_ = 0;
  Clock::time_point body_start_;
};

}  // namespace fugu::studio
