#include "apps/studio/access.h"

#include <fmt/format.h>

#include "apps/studio/token.h"

namespace fugu::studio {
namespace {

bool changes_state(const std::string& method) { return method != "GET" && method != "HEAD"; }

}  // namespace

Access::Access(int port)
    : port_(port),
      // Browsers keep cookies by host, not by port: two studios must not overwrite each other's.
      cookie_name_(fmt::format("fugu-studio-{}", port)),
      token_(random_token()),
      cookie_(random_token()) {}

std::string Access::address() const { return fmt::format("http://127.0.0.1:{}/?token={}", port_, token_); }

bool Access::is_own_host(const std::string& host) const {
  return host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
}

std::optional<Refusal> Access::refuse_stranger(const Asked& asked) const {
  if (asked.headers("Host") != 1 || !is_own_host(asked.header("Host"))) {
    return Refusal{403, "this address is not the studio's",
                   fmt::format("use http://127.0.0.1:{}/ as printed", port_)};
  }
  const std::string hint = "the studio answers its own page only: open the address that it printed";
  const std::string site = asked.header("Sec-Fetch-Site");
  const bool arrives = asked.method == "GET" && asked.path == "/" && is_token(asked.token);
  if (!site.empty() && site != "same-origin" && site != "none" && !arrives)
    return Refusal{403, "the request comes from another site", hint};
  const std::string origin = asked.header("Origin");
  const bool own = origin.starts_with("http://") && is_own_host(origin.substr(7)) &&
                   origin.substr(7) == asked.header("Host") && asked.headers("Origin") == 1;
  if (!origin.empty() && !own) return Refusal{403, "the request comes from another site", hint};
  if (origin.empty() && changes_state(asked.method))
    return Refusal{403, "the request does not say where it comes from", hint};
  return std::nullopt;
}

bool Access::is_token(const std::string& token) const { return same_token(token, token_); }

bool Access::has_cookie(const Asked& asked) const {
  const std::string all = asked.header("Cookie");
  const std::string wanted = cookie_name_ + "=";
  for (size_t at = 0; at < all.size();) {
    at = std::min(all.find_first_not_of(" ;", at), all.size());
    const size_t end = std::min(all.find(';', at), all.size());
    const std::string_view item = std::string_view(all).substr(at, end - at);
    if (item.starts_with(wanted) && same_token(item.substr(wanted.size()), cookie_)) return true;
    at = end;
  }
  return false;
}

std::string Access::exchange(const std::string& token) {
  const std::lock_guard lock(mutex_);
  if (used_ || !is_token(token)) return "";
  used_ = true;
  return fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", cookie_name_, cookie_);
}

}  // namespace fugu::studio
