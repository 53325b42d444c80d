#include "apps/studio/studio.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include <filesystem>

#include "apps/studio/access.h"
#include "apps/studio/api.h"
#include "apps/studio/http_server.h"
#include "fugu/core/error.h"
#include "fugu/file/atomic_file.h"

namespace fugu::studio {
namespace {

constexpr const char* kLoopback = "127.0.0.1";
constexpr std::chrono::seconds kGrace{2};

// No second program may listen on the same port, and no program that the studio starts keeps it.
void set_options(int socket) {
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
}

int bind(HttpServer& server, int port) {
  server.set_socket_options(set_options);
  server.set_tcp_nodelay(true);
  const int bound = port == 0                              ? server.bind_to_any_port(kLoopback)
                    : server.bind_to_port(kLoopback, port) ? port
                                                           : -1;
  server.widen_queue();
  if (bound > 0) return bound;
  throw Error(ErrorKind::kIo, fmt::format("--port: {} cannot be used on 127.0.0.1", port),
              "leave out --port to take one that is free");
}

Settings checked(Settings settings) {
  if (!std::filesystem::is_directory(settings.folder))
    throw usage(fmt::format("--folder: {} is no folder", settings.folder), "make it first, or name another");
  return settings;
}

}  // namespace

struct Studio::State {
  explicit State(Settings given)
      : settings(checked(std::move(given))),
        server(settings.limits, kUploadPath),
        access(bind(server, settings.port)),
        api(settings, access) {
    server.set_payload_max_length(settings.limits.upload_size);
    api.add_to(server);
    const std::string page = fmt::format(
        "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">"
        "<meta http-equiv=\"refresh\" content=\"0; url={}\"><title>fugu studio</title>\n",
        access.address());
    opening = (folder.path() / "open.html").string();
    AtomicFile file(opening, {.owner_only = true});
    write_all(file.descriptor(), page.data(), page.size(), opening);
    file.commit();
  }

  const Settings settings;
  TemporaryFolder folder;
  std::string opening;
  HttpServer server;
  Access access;
  Api api;
};

Studio::Studio(Settings settings) : state_(std::make_unique<State>(std::move(settings))) {}
Studio::~Studio() = default;

std::string Studio::address() const { return state_->access.address(); }
std::string Studio::opening_file() const { return state_->opening; }

void Studio::serve() { state_->server.listen_after_bind(); }

bool Studio::ended() {
  if (state_->api.idle_within(kGrace)) return true;
  state_->api.clear_away();
  state_->folder.remove();
  return false;
}

void Studio::quit() {
  state_->api.stop();
  state_->server.quit();
}

}  // namespace fugu::studio
