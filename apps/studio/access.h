// Who may ask the studio for anything: only the page that it gave its own cookie.
//
// A page of another site, or of another port of this machine, can make a browser send requests here. It
// cannot choose the Host and Origin that the browser writes, and it never saw the token.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace fugu::studio {

// The parts of a request that decide. A header that is absent is empty text.
struct Asked {
  std::string method;
  std::string path;
  std::string token;  // of the address
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

  // What is printed: it holds the token, and works once.
  std::string address() const;

  // Before anything else, also for what has no cookie yet: Host, Origin and the browser's own word on where
  // the request comes from. Whoever shows the token may come from anywhere: a file that opens the browser
  // does.
  std::optional<Refusal> refuse_stranger(const Asked& asked) const;
  bool is_token(const std::string& token) const;
  // Whether the request has the cookie.
  bool has_cookie(const Asked& asked) const;
  // The value of Set-Cookie for the first who shows the token; empty for anyone after.
  std::string exchange(const std::string& token);

 private:
  bool is_own_host(const std::string& host) const;

  int port_;
  std::string cookie_name_;
  std::string token_;
  std::string cookie_;
  bool used_ = false;
  std::mutex mutex_;
};

}  // namespace fugu::studio
