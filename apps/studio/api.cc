#include "apps/studio/api.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "apps/page/page_assets.h"
#include "apps/studio/asking.h"
#include "apps/studio/job_file.h"
#include "fugu/ask/flags.h"
#include "fugu/file/atomic_file.h"

namespace fugu::studio {
namespace {

constexpr std::chrono::milliseconds kPatience{400};  // after which an answer is "still at it"
constexpr size_t kLongestTarget = 2048;

constexpr const char* kJson = "application/json";
constexpr const char* kHtml = "text/html; charset=utf-8";

constexpr const char* kShell =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>fugu studio</title>\n"
    "<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"studio.css\">\n"
    "<script src=\"studio.js\" defer></script>\n</head>\n<body>\n<main id=\"studio\">"
    "<noscript>The studio needs JavaScript, which comes from this machine alone.</noscript></main>\n"
    "</body>\n</html>\n";

constexpr const char* kClosed =
    "<!doctype html>\n"
    "<html lang=\"en\"><head><meta charset=\"utf-8\"><title>fugu studio</title></head><body><h1>This page is "
    "closed</h1><p>Open the address that fugu studio printed, all of it. It works only while the studio "
    "runs: start fugu studio again for a new one.</p></body></html>\n";

Asked asked_of(const httplib::Request& request) {
  return {request.method, request.path,
          [&request](const std::string& name) { return request.get_header_value(name); },
          [&request](const std::string& name) { return request.get_header_value_count(name); }};
}

void answer(httplib::Response& response, int status, const Json& json) {
  response.status = status;
  response.set_content(json.pretty(), kJson);
}

void answer_error(httplib::Response& response, int status, const Error& error) {
  Json json = Json::object();
  json.add("error", error_to_json(error));
  answer(response, status, json);
}

bool is_type(const httplib::Request& request, std::string_view type) {
  const std::string said = request.get_header_value("Content-Type");
  return said.substr(0, said.find(';')) == type;
}

Json job_to_json(const JobView& job) {
  Json json = Json::object();
  json.add("job", Json::string(job.id));
  json.add("state", Json::string(state_word(job.state)));
  json.add("fraction", Json::number(job.fraction));
  json.add("what", Json::string(job.what));
  if (job.state == JobState::kDone) json.add("result", job.result);
  if (job.error) json.add("error", error_to_json(*job.error));
  return json;
}

Json table_to_json(const OpenTable& table) {
  Json json = Json::object();
  json.add("table", Json::string(table.id));
  json.add("name", Json::string(table.name));
  return json;
}

}  // namespace

Api::Api(const Settings& settings, const Access& access)
    : settings_(settings),
      access_(access),
      tables_(settings.tables, settings.folder_named ? settings.folder : "", settings.limits.upload_size),
      work_(settings, tables_, downloads_) {}

void Api::add_to(httplib::Server& server) {
  server.set_default_headers(
      {{"Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"},
       {"X-Content-Type-Options", "nosniff"},
       {"X-Frame-Options", "DENY"},
       {"Referrer-Policy", "no-referrer"},
       {"Cross-Origin-Opener-Policy", "same-origin"},
       {"Cross-Origin-Resource-Policy", "same-origin"},
       {"Cache-Control", "no-store"}});
  server.set_pre_routing_handler([this](const Request& request, Response& response) {
    using Next = httplib::Server::HandlerResponse;
    return guard(request, response) ? Next::Handled : Next::Unhandled;
  });
  server.set_exception_handler([](const Request&, Response& response, std::exception_ptr thrown) {
    try {
      std::rethrow_exception(std::move(thrown));
    } catch (const Error& error) {
      answer_error(response, 400, error);
    } catch (const std::exception&) {
      answer_error(response, 500,
                   Error(ErrorKind::kBug, "unexpected", "this is a bug in fugu: please report it"));
    }
  });
  add_pages(server);
  add_tables(server);
  add_work(server);
  add_history(server);
  add_jobs(server);
}

bool Api::guard(const Request& request, Response& response) {
  const Asked asked = asked_of(request);
  if (request.target.size() > kLongestTarget) {
    answer_error(response, 414, usage("the address is too long", "reload the page"));
    return true;
  }
  if (const auto refused = access_.refuse_stranger(asked)) {
    answer_error(response, refused->status, usage(refused->message, refused->hint));
    return true;
  }
  if (!access_.is_inside(request.path)) {
    response.status = 403;
    response.set_content(kClosed, kHtml);
    return true;
  }
  if (request.method == "POST" &&
      !is_type(request, request.path.ends_with(kUploadPath) ? "application/octet-stream" : kJson)) {
    answer_error(response, 415, usage("the request is not one of the page's", "reload the page"));
    return true;
  }
  return false;
}

void Api::add_pages(httplib::Server& server) {
  server.Get(access_.root(), [](const Request&, Response& response) { response.set_content(kShell, kHtml); });
  server.Get(path("studio.js"), [](const Request&, Response& response) {
    response.set_content(std::string(studio_assets().script), "text/javascript; charset=utf-8");
  });
  server.Get(path("studio.css"), [](const Request&, Response& response) {
    response.set_content(std::string(studio_assets().style), "text/css; charset=utf-8");
  });
  server.Get(path("api/session"), [this](const Request&, Response& response) { session(response); });
  server.Get(path("api/file/(f[0-9]{1,9})"),
             [this](const Request& request, Response& response) { send_file(request, response); });
}

void Api::session(Response& response) {
  Json json = Json::object();
  json.add("tables", Json::strings(settings_.tables));
  json.add("folder", Json::string(settings_.folder));
  json.add("folder_named", Json::boolean(settings_.folder_named));
  json.add("ledger", Json::boolean(!settings_.ledger.path.empty()));
  json.add("fields", page_fields_to_json());
  json.add("upload_bytes", Json::number(static_cast<long long>(settings_.limits.upload_size)));
  answer(response, 200, json);
}

void Api::add_tables(httplib::Server& server) {
  server.Post(path("api/table"), [this](const Request& request, Response& response) {
    const Json body = parse_json(request.body, "the request");
    const Json* name = body.find("name");
    const Json* id = body.find("table");
    if (name && name->if_string())
      return answer(response, 200, table_to_json(tables_.open(*name->if_string())));
    // A page that is loaded again says what it had open: a dropped table has no name to open it by.
    if (id && id->if_string()) return answer(response, 200, table_to_json(tables_.find(*id->if_string())));
    throw usage("the request is not one of the page's", "reload the page");
  });
  server.Post(path("api/job"), [](const Request& request, Response& response) {
    const Json body = parse_json(request.body, "the request");
    const Json* text = body.find("text");
    if (!text || !text->if_string()) throw usage("the request is not one of the page's", "reload the page");
    try {
      answer(response, 200, opened_job(*text->if_string()));
    } catch (const Error& error) {
      answer_error(response, 200, error);  // the page asked rightly: it is the file that is wrong
    }
  });
  server.Post(path("api/upload"),
              [this](const Request& request, Response& response, const httplib::ContentReader& reader) {
                upload(request, response, reader);
              });
}

void Api::upload(const Request& request, Response& response, const httplib::ContentReader& reader) {
  const std::string path = tables_.upload_path();
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0)
    return answer_error(response, 500, Error(ErrorKind::kIo, "the upload cannot be kept", "free some space"));
  std::optional<Error> failed;
  const bool whole = reader([&](const char* data, size_t size) {
    try {
      write_all(file, data, size, "the upload");
      return true;
    } catch (const Error& error) {
      failed = error;
      return false;
    }
  });
  ::close(file);
  if (whole)
    return answer(response, 200, table_to_json(tables_.add_upload(path, request.get_param_value("name"))));
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  answer_error(
      response, 400,
      failed ? *failed : Error(ErrorKind::kIo, "TABLE: the upload was cut off", "drop the file again"));
}

void Api::add_work(httplib::Server& server) {
  const struct {
    const char* kind;
    Lane lane;
    Task task;
  } kinds[] = {{"rows", Lane::kQuick, &Work::rows},
               {"inspect", Lane::kQuick, &Work::inspect},
               {"promise", Lane::kQuick, &Work::promise},
               {"compare", Lane::kQuick, &Work::compare},
               {"compare-slow", Lane::kSlow, &Work::compare},
               {"laws", Lane::kQuick, &Work::laws},
               {"calibrate", Lane::kQuick, &Work::calibrate},
               {"commands", Lane::kQuick, &Work::commands},
               {"save-job", Lane::kQuick, &Work::save_job},
               {"preview", Lane::kSlow, &Work::preview},
               {"optima", Lane::kSlow, &Work::optima},
               {"errors", Lane::kSlow, &Work::errors},
               {"all-errors", Lane::kSlow, &Work::all_errors},
               {"calibrate-slow", Lane::kSlow, &Work::calibrate},
               {"release", Lane::kRelease, &Work::release}};
  for (const auto& [kind, lane, task] : kinds) {
    server.Post(path(fmt::format("api/{}", kind)),
                [this, kind = kind, lane = lane, task = task](const Request& request, Response& response) {
                  start(lane, kind, task, request, response);
                });
  }
}

void Api::add_history(httplib::Server& server) {
  server.Get(path("api/history"), [this](const Request&, Response& response) {
    Json json = Json::object();
    json.add("history", work_.history());
    answer(response, 200, json);
  });
  server.Post(path("api/history"), [this](const Request& request, Response& response) {
    Json json = Json::object();
    json.add("history", work_.rest(read_asking(parse_json(request.body, "the request"), tables_)));
    answer(response, 200, json);
  });
}

void Api::start(Lane lane, const char* kind, Task task, const Request& request, Response& response) {
  Asking asking = read_asking(parse_json(request.body, "the request"), tables_);
  // A release is never replaced: it may have been counted already.
  const bool replaces = task != &Work::release && !asking.page.empty();
  const auto job = jobs_.start({lane, replaces ? asking.page + " " + kind : "", asking.round,
                                [this, task, asking = std::move(asking)](const Progress& progress) {
                                  try {
                                    return (work_.*task)(asking, progress);
                                  } catch (const Error& error) {
                                    throw named_as_given(error, asking.table);
                                  }
                                }});
  if (job) return show(*job, response);
  answer_error(response, 503, Error(ErrorKind::kIo, "the studio is busy", "wait a moment, then try again"));
}

void Api::add_jobs(httplib::Server& server) {
  const std::string pattern = path("api/jobs/([0-9]{1,18})");
  server.Get(pattern, [this](const Request& request, Response& response) {
    show(request.matches[1].str(), response);
  });
  server.Delete(pattern, [this](const Request& request, Response& response) {
    const std::string id = request.matches[1].str();
    jobs_.cancel(id);
    show(id, response);
  });
}

void Api::show(const std::string& job, Response& response) {
  if (const auto view = jobs_.look(job, kPatience)) return answer(response, 200, job_to_json(*view));
  answer_error(response, 404, usage("this work is gone", "reload the page"));
}

void Api::send_file(const Request& request, Response& response) {
  const auto download = downloads_.find(request.matches[1].str());
  if (!download) return answer_error(response, 404, usage("this file is gone", "make it again"));
  response.set_header("Content-Disposition", attachment(download->name));
  if (download->make) return response.set_content(download->make(), download->type);
  const int file = ::open(download->path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  struct stat status {};
  if (file < 0 || ::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    if (file >= 0) ::close(file);
    response.headers.erase("Content-Disposition");
    return answer_error(response, 404,
                        Error(ErrorKind::kIo, download->name + ": the file is gone", "release it again"));
  }
  response.set_content_provider(
      static_cast<size_t>(status.st_size), download->type,
      [file](size_t offset, size_t length, httplib::DataSink& sink) {
        char bytes[64 << 10];
        const ssize_t got = ::pread(file, bytes, std::min(length, sizeof bytes), static_cast<off_t>(offset));
        return got > 0 && sink.write(bytes, static_cast<size_t>(got));
      },
      [file](bool) { ::close(file); });
}

}  // namespace fugu::studio
