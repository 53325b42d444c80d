// Whole connections to the studio's real server: whatever is sent, it answers, never by a mistake of ours,
// with JSON that is JSON, and with nothing to whoever lacks the token. {root} stands for the path that
// holds it.
#include <sys/socket.h>

#include <charconv>
#include <future>

#include "apps/studio/api.h"
#include "apps/studio/http_server.h"
#include "tests/fuzz/fuzz.h"

using namespace fugu;
using namespace fugu::studio;

namespace {

constexpr int kPort = 8080;
constexpr std::string_view kRoot = "{root}";
constexpr int kLongest = 1000;  // connections, before the studio is started anew

struct Server {
  Server() : server(settings.limits, kUploadPath), access(kPort), api(settings, access) {
    api.add_to(server);
  }
  Settings settings{.folder = "/nowhere", .limits = {.upload_size = 1 << 20}};
  HttpServer server;
  Access access;
  Api api;
};

std::string with_root(std::string text, const std::string& root) {
  for (size_t at = 0; (at = text.find(kRoot, at)) != std::string::npos; at += root.size())
    text.replace(at, kRoot.size(), root);
  return text;
}

std::string receive_all(int socket) {
  std::string all(size_t{64} << 10, '\0');
  size_t size = 0;
  for (ssize_t got; (got = ::recv(socket, all.data() + size, all.size() - size, 0)) > 0;) {
    size += static_cast<size_t>(got);
    if (size == all.size()) all.resize(2 * size);
  }
  all.resize(size);
  return all;
}

std::string answer_to(Server& server, const std::string& text) {
  int ends[2];
  fuzz::insist(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "there are sockets");
  auto answer = std::async(std::launch::async, receive_all, ends[1]);
  // The server is not reading yet, so only what fits; a cut connection is one of the things that happen.
  (void)!::send(ends[1], text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  ::shutdown(ends[1], SHUT_WR);
  server.server.process_and_close_socket(ends[0]);
  const std::string got = answer.get();
  ::close(ends[1]);
  return got;
}

size_t length_in(std::string_view head) {
  constexpr std::string_view kLength = "\r\nContent-Length: ";
  const size_t at = head.find(kLength);
  size_t length = 0;
  if (at != std::string_view::npos)
    std::from_chars(head.data() + at + kLength.size(), head.data() + head.size(), length);
  return length;
}

// One answer after the other, as long as they are whole; those to HEAD have no body.
void check_answers(std::string_view all, bool may_ask) {
  while (all.starts_with("HTTP/1.1 ")) {
    const size_t end = all.find("\r\n\r\n");
    fuzz::insist(end != std::string_view::npos, "an answer has a whole head");
    const std::string_view head = all.substr(0, end + 2);
    all.remove_prefix(end + 4);
    const char status = head[9];
    fuzz::insist(!head.substr(9).starts_with("500"), "no request is a mistake of ours");
    fuzz::insist(may_ask || status != '2', "without the token there is nothing to see");
    const std::string_view body = all.substr(0, length_in(head));
    if (body.starts_with("HTTP/1.1 ")) continue;
    all.remove_prefix(body.size());
    if (!body.empty() && head.find("\r\nContent-Type: application/json") != std::string_view::npos)
      parse_json(body, "answer");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static std::unique_ptr<Server> server;
  static int served = 0;
  if (served++ % kLongest == 0) server = std::make_unique<Server>();
  const std::string text(reinterpret_cast<const char*>(data), size);
  check_answers(answer_to(*server, with_root(text, server->access.root())),
                text.find(kRoot) != std::string::npos);
  Head head;
  read_head(text, server->settings.limits, kUploadPath, head);
  return 0;
}
