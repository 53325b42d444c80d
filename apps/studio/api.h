// The studio's requests and answers (docs/studio.md, "The interface").
#pragma once

#include <httplib.h>

#include <string>

#include "apps/studio/access.h"
#include "apps/studio/downloads.h"
#include "apps/studio/jobs.h"
#include "apps/studio/settings.h"
#include "apps/studio/tables.h"
#include "apps/studio/work.h"

namespace fugu::studio {

// How the path of an upload ends.
inline constexpr const char* kUploadPath = "/api/upload";

class Api {
 public:
  Api(const Settings& settings, const Access& access);

  // Adds every route, and what is checked before any.
  void add_to(httplib::Server& server);
  void stop() { jobs_.stop(); }
  bool idle_within(std::chrono::milliseconds time) { return jobs_.idle_within(time); }
  void clear_away() { tables_.clear_away(); }
  const Tables& tables() const { return tables_; }

 private:
  using Request = httplib::Request;
  using Response = httplib::Response;
  using Task = Json (Work::*)(const Asking&, const Progress&);

  // True when the request is answered and goes no further.
  bool guard(const Request& request, Response& response);

  // Where it lies: beneath the token.
  std::string path(std::string_view name) const { return access_.root() + std::string(name); }
  void add_pages(httplib::Server& server);
  void add_tables(httplib::Server& server);
  void add_work(httplib::Server& server);
  void add_history(httplib::Server& server);
  void add_jobs(httplib::Server& server);

  void session(Response& response);
  void upload(const Request& request, Response& response, const httplib::ContentReader& reader);
  void start(Lane lane, const char* kind, Task task, const Request& request, Response& response);
  void show(const std::string& job, Response& response);
  void send_file(const Request& request, Response& response);

  const Settings& settings_;
  const Access& access_;
  Tables tables_;
  Downloads downloads_;
  Work work_;
  Jobs jobs_;  // last: its threads end before what they use
};

}  // namespace fugu::studio
