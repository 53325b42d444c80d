// Who may ask the studio for anything: whoever knows its address, from its own page.
//
// Everything lies beneath a path that holds the token. A cookie would not do: a browser sends it to every
// port of the host, so that any other server of this machine would be handed it. A page of another site, or
// of another port, can make a browser send requests here; it cannot choose the Host and Origin that the
// browser writes, and it never saw the token.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace fugu::studio {

// The parts of a request that decide. A header that is absent is empty text.
struct Asked {
  std::string method;
  std::string path;
  std::function<std::string(const std::string& name)> header;
  std::function<size_t(const std::string& name)> headers;  // how many of that name
};

// Why a request is refused: a status of HTTP, and words.
struct Refusal {
  int status;
  std::string message;
  std::string hint;
};

class Access {
 public:
  explicit Access(int port);

  // What is printed: that of the page. It holds the token.
  std::string address() const;
  // "/s/TOKEN/": what everything lies beneath.
  const std::string& root() const { return root_; }

  // Before anything else: Host, Origin and the browser's own word on where the request comes from. Whoever
  // shows the token may come to the page from anywhere: a file that opens the browser does.
  std::optional<Refusal> refuse_stranger(const Asked& asked) const;
  // Whether the path shows the token.
  bool is_inside(std::string_view path) const;

 private:
  bool is_own_host(const std::string& host) const;

  int port_;
  std::string root_;
};

}  // namespace fugu::studio
