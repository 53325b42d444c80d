#include "apps/studio/access.h"

#include <fmt/format.h>

#include "apps/studio/token.h"

namespace fugu::studio {
namespace {

bool changes_state(const std::string& method) { return method != "GET" && method != "HEAD"; }

}  // namespace

Access::Access(int port) : port_(port), root_(fmt::format("/s/{}/", random_token())) {}

std::string Access::address() const { return fmt::format("http://127.0.0.1:{}{}", port_, root_); }

bool Access::is_own_host(const std::string& host) const {
  return host == fmt::format("127.0.0.1:{}", port_) || host == fmt::format("localhost:{}", port_);
}

std::optional<Refusal> Access::refuse_stranger(const Asked& asked) const {
  if (asked.headers("Host") != 1 || !is_own_host(asked.header("Host"))) {
    return Refusal{403, "this is not the studio's address",
                   fmt::format("use the address at 127.0.0.1:{} as printed", port_)};
  }
  const std::string hint = "the studio answers only its own page: open the address that it printed";
  const std::string site = asked.header("Sec-Fetch-Site");
  const bool arrives = asked.method == "GET" && same_token(asked.path, root_);
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

bool Access::is_inside(std::string_view path) const {
  return same_token(path.substr(0, root_.size()), root_);
}

}  // namespace fugu::studio
