#include "apps/studio/connection.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace fugu::studio {
namespace {

constexpr std::chrono::milliseconds kGlance{250};  // how often a wait looks whether the studio is stopping

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<uint64_t> length_of(std::string_view text) {
  uint64_t length = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (text.empty() || failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return length;
}

bool read_request_line(std::string_view line, Head& head) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || last == first) return false;
  head.method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  head.path = target.substr(0, target.find('?'));
  return head.path.starts_with("/") && line.substr(last + 1).starts_with("HTTP/1.");
}

// One header; `lengths` counts those that say how long the body is.
HeadVerdict read_header(std::string_view line, Head& head, int& lengths) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || line.front() == ' ' || line.front() == '\t')
    return {400, "Bad Request"};
  const std::string name = lower(line.substr(0, colon));
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (name == "transfer-encoding") return {411, "Length Required"};
  if (name == "content-encoding" && lower(value) != "identity") return {415, "Unsupported Media Type"};
  if (name == "range" || name == "upgrade") return {400, "Bad Request"};
  if (name != "content-length") return {};
  const auto length = length_of(value);
  if (!length || ++lengths > 1) return {400, "Bad Request"};
  head.body = *length;
  return {};
}

}  // namespace

HeadVerdict read_head(std::string_view text, const Limits& limits, const std::string& upload_path,
                      Head& head) {
  int lengths = 0;
  bool first = true;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find("\r\n", at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 2;
    if (line.size() > limits.line_size) return {431, "Request Header Fields Too Large"};
    if (line.find_first_of(std::string_view("\0\r\n", 3)) != std::string_view::npos)
      return {400, "Bad Request"};
    if (first) {
      if (!read_request_line(line, head)) return {400, "Bad Request"};
      first = false;
    } else if (line.empty()) {
      break;
    } else if (const HeadVerdict verdict = read_header(line, head, lengths); verdict.status != 0) {
      return verdict;
    }
  }
  const uint64_t most = head.path.ends_with(upload_path) ? limits.upload_size : limits.json_size;
  if (head.body > most) return {413, "Payload Too Large"};
  return {};
}

GuardedStream::GuardedStream(int socket, const Limits& limits, std::string upload_path,
                             std::function<bool()> stopping)
    : socket_(socket),
      limits_(limits),
      upload_path_(std::move(upload_path)),
      stopping_(std::move(stopping)) {}

bool GuardedStream::wait(short events, Clock::time_point until) const {
  while (!stopping_()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    pollfd entry{socket_, events, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(std::min(left, kGlance).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
  return false;
}

bool GuardedStream::receive(size_t most, Clock::time_point until) {
  if (begin_ > 0) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  if (buffer_.size() >= most || !wait(POLLIN, until)) return false;
  const size_t old = buffer_.size();
  buffer_.resize(std::min(most, old + (64 << 10)));
  const ssize_t got = ::recv(socket_, buffer_.data() + old, buffer_.size() - old, 0);
  buffer_.resize(old + static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return got > 0;
}

bool GuardedStream::next_head() {
  head_left_ = 0;
  if (buffer_.size() == begin_ && !receive(limits_.head_size, Clock::now() + limits_.idle_time)) return false;
  const auto until = Clock::now() + limits_.head_time;
  size_t end;
  while ((end = buffer_.find("\r\n\r\n", begin_)) == std::string::npos) {
    if (buffer_.size() - begin_ >= limits_.head_size) {
      refuse(431, "Request Header Fields Too Large");
      return false;
    }
    if (!receive(limits_.head_size, until)) {
      if (Clock::now() >= until) refuse(408, "Request Timeout");
      return false;
    }
  }
  head_left_ = end + 4 - begin_;
  Head head;
  const HeadVerdict verdict =
      read_head(std::string_view(buffer_).substr(begin_, head_left_), limits_, upload_path_, head);
  if (verdict.status != 0) {
    refuse(verdict.status, verdict.reason);
    return false;
  }
  body_left_ = head.body;
  body_read_ = 0;
  body_start_ = Clock::now();
  return true;
}

GuardedStream::Clock::time_point GuardedStream::body_deadline() const {
  return body_start_ + limits_.body_grace +
         std::chrono::milliseconds(1000 * body_read_ / std::max<uint64_t>(limits_.body_rate, 1));
}

ssize_t GuardedStream::read(char* to, size_t size) {
  const uint64_t allowed = head_left_ + body_left_;
  if (allowed == 0) return 0;
  if (begin_ == buffer_.size() && !receive(size_t{256} << 10, body_deadline())) return -1;
  const size_t taken = std::min({static_cast<uint64_t>(size), static_cast<uint64_t>(buffer_.size() - begin_),
                                 head_left_ > 0 ? static_cast<uint64_t>(head_left_) : body_left_});
  std::copy_n(buffer_.data() + begin_, taken, to);
  begin_ += taken;
  if (head_left_ > 0) {
    head_left_ -= taken;
  } else {
    body_left_ -= taken;
    body_read_ += taken;
  }
  return static_cast<ssize_t>(taken);
}

ssize_t GuardedStream::write(const char* from, size_t size) {
  const auto until = Clock::now() + limits_.write_time;
  if (!wait(POLLOUT, until)) return -1;
  return ::send(socket_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool GuardedStream::is_readable() const { return begin_ < buffer_.size() || body_left_ > 0; }
bool GuardedStream::is_writable() const { return wait(POLLOUT, Clock::now() + limits_.write_time); }

void GuardedStream::get_remote_ip_and_port(std::string& ip, int& port) const {
  ip = "127.0.0.1";
  port = 0;
}
void GuardedStream::get_local_ip_and_port(std::string& ip, int& port) const {
  ip = "127.0.0.1";
  port = 0;
}

void GuardedStream::refuse(int status, const char* reason) {
  const std::string text = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Length: 0\r\nConnection: close\r\nCache-Control: no-store\r\n\r\n", status,
      reason);
  write(text.data(), text.size());
  linger();
}

void GuardedStream::linger() {
  ::shutdown(socket_, SHUT_WR);
  char rest[4096];
  const auto until = Clock::now() + std::chrono::milliseconds(500);
  while (wait(POLLIN, until) && ::recv(socket_, rest, sizeof rest, MSG_DONTWAIT) > 0) {
  }
}

}  // namespace fugu::studio
