#include "fugu/database/postgres.h"

#include <fmt/format.h>
#include <poll.h>

#include <utility>

#include "fugu/database/database_url.h"
#include "fugu/database/libpq.h"

namespace fugu::inline in_database {
namespace {

constexpr int kPatienceMilliseconds = 100;  // between two looks at whether to stop
constexpr int kOldestServer = 120000;       // floats as their shortest decimals

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

// The server's words, where they are about names, rights or itself; what else it says may hold values.
bool may_be_shown(std::string_view state) {
  for (std::string_view open :
       {"08", "0A", "2B", "25", "28", "3D", "3F", "42", "53", "54", "55", "57", "58", "40"}) {
    if (state.starts_with(open)) return true;
  }
  return false;
}

// What the commonest codes mean, in words of ours.
std::string_view meaning_of(std::string_view state) {
  constexpr std::pair<std::string_view, std::string_view> kMeanings[] = {
      {"42501", ": permission denied"},       {"25006", ": the transaction is read-only"},
      {"57014", ": the query was cancelled"}, {"53100", ": its disk is full"},
      {"53200", ": it is out of memory"},     {"57P01", ": it is shutting down"}};
  for (const auto& [code, meaning] : kMeanings) {
    if (code == state) return meaning;
  }
  return "";
}

struct Verdict {
  ErrorKind kind;
  const char* hint;
};

Verdict verdict_of(std::string_view state) {
  if (state == "42501")
    return {ErrorKind::kIo, "ask the database's owner for permission, or connect as another user"};
  if (state == "25006")
    return {ErrorKind::kIo, "--query may only read, and a standby server takes no new table"};
  if (state.starts_with("42") || state.starts_with("3F") || state.starts_with("0A"))
    return {ErrorKind::kUsage, "check --table, --query and --into"};
  if (state.starts_with("2B"))
    return {ErrorKind::kIo, "drop what depends on the old table first, or give another name"};
  if (state.starts_with("53"))
    return {ErrorKind::kIo, "make room in the server, then run the command again; nothing was written"};
  if (state.starts_with("22") || state.starts_with("P0"))
    return {ErrorKind::kIo, "check the computations of --query or of the view; nothing was written"};
  return {ErrorKind::kIo, "check the server, then run the command again; nothing was written"};
}

}  // namespace

void ClearResult::operator()(pg_result* result) const { libpq().PQclear(result); }
void Postgres::Close::operator()(pg_conn* connection) const { libpq().PQfinish(connection); }
void Postgres::FreeRow::operator()(char* row) const { libpq().PQfreemem(row); }

Postgres::Postgres(const std::string& url, std::string place, std::function<void()> stop)
    : place_(std::move(place)), stop_(std::move(stop)) {
  {
    const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(
        libpq().PQconninfoParse(url.c_str(), nullptr), libpq().PQconninfoFree);
    // libpq would quote the part that it cannot read, which may be the password.
    if (!options) {
      throw usage("the database's URL cannot be read",
                  "for example postgresql://user@host:5432/name; write other characters as %XX");
    }
  }
  const char* const keywords[] = {"dbname", "client_encoding", "fallback_application_name", nullptr};
  const char* const values[] = {url.c_str(), "UTF8", "fugu", nullptr};
  connection_.reset(libpq().PQconnectdbParams(keywords, values, 1));
  if (!connection_) throw std::bad_alloc();
  if (libpq().PQstatus(connection_.get()) != CONNECTION_OK) {
    std::string why = first_line(libpq().PQerrorMessage(connection_.get()));
    const std::string password = libpq().PQpass(connection_.get());
    const bool shows_password = !password.empty() && why.find(password) != std::string::npos;
    if (shows_password || quotes_credentials(why, url)) why = "the connection failed";
    throw Error(ErrorKind::kIo, fmt::format("{}: {}", place_, why),
                "check the server, the URL and the password (PGPASSWORD or ~/.pgpass)");
  }
  if (libpq().PQserverVersion(connection_.get()) < kOldestServer)
    throw Error(ErrorKind::kIo, place_ + ": the server is older than PostgreSQL 12", "use a newer one");
  libpq().PQsetNoticeProcessor(
      connection_.get(), [](void*, const char*) {}, nullptr);
  libpq().PQsetnonblocking(connection_.get(), 1);
  set_up();
}

Postgres::~Postgres() {
  if (connection_ && libpq().PQtransactionStatus(connection_.get()) == PQTRANS_ACTIVE) cancel();
}

// Texts do not depend on who connects, a long calibration is no idle session, and a server whose client was
// killed stops soon. Not every version knows every setting.
void Postgres::set_up() {
  run("SELECT pg_catalog.set_config(name, wanted.value, false) FROM pg_catalog.pg_settings "
      "JOIN (VALUES ('extra_float_digits', '1'), ('DateStyle', 'ISO'), "
      "('idle_in_transaction_session_timeout', '0'), "
      "('idle_session_timeout', '0'), ('client_connection_check_interval', '5s')) AS wanted(key, value) "
      "ON key = name");
}

int Postgres::process() const { return libpq().PQbackendPID(connection_.get()); }
bool Postgres::is_lost() const { return libpq().PQstatus(connection_.get()) != CONNECTION_OK; }

Error Postgres::lost() const {
  return Error(ErrorKind::kIo, place_ + ": the connection to the server was lost",
               "check the server, then run the command again; nothing was written");
}

Error Postgres::error_of(const pg_result* result) {
  const char* state = libpq().PQresultErrorField(result, PG_DIAG_SQLSTATE);
  if (!state || is_lost()) return lost();
  const char* message = libpq().PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  const auto [kind, hint] = verdict_of(state);
  // The second, where another transaction is about to take it.
  taken_ = state == std::string_view("42P07") || state == std::string_view("23505");
  if (hides_words_) {
    // What is wrong with the statement itself was said when it was described.
    const bool of_query = kind == ErrorKind::kUsage;
    return Error(ErrorKind::kIo,
                 fmt::format("{}: the server stopped{} (SQLSTATE {})", place_, meaning_of(state), state),
                 of_query ? "check the computations of --query or of the view; nothing was written" : hint);
  }
  if (message && may_be_shown(state)) return Error(kind, fmt::format("{}: {}", place_, message), hint);
  return Error(kind, fmt::format("{}: the server stopped at a value (SQLSTATE {})", place_, state), hint);
}

void Postgres::cancel() noexcept {
  char why[256];
  if (PGcancel* cancel = libpq().PQgetCancel(connection_.get())) {
    libpq().PQcancel(cancel, why, sizeof why);
    libpq().PQfreeCancel(cancel);
  }
}

// Until something can be read or written, but not for long.
void Postgres::wait(short events) {
  pollfd poller{libpq().PQsocket(connection_.get()), events, 0};
  if (poller.fd < 0) throw lost();
  ::poll(&poller, 1, kPatienceMilliseconds);
  try {
    if (stop_) stop_();
  } catch (...) {
    cancel();
    throw;
  }
}

PostgresResult Postgres::next() {
  for (int left = 0; (left = libpq().PQflush(connection_.get())) != 0;) {
    if (left < 0 || libpq().PQconsumeInput(connection_.get()) == 0) throw lost();
    wait(POLLIN | POLLOUT);
  }
  while (libpq().PQisBusy(connection_.get()) != 0) {
    wait(POLLIN);
    if (libpq().PQconsumeInput(connection_.get()) == 0) break;  // its last words are in the result
  }
  return PostgresResult(libpq().PQgetResult(connection_.get()));
}

// What follows a statement's result is nothing, or another error.
PostgresResult Postgres::finish(PostgresResult result) {
  if (!result) throw lost();
  auto failed = [](const PostgresResult& one) {
    return libpq().PQresultStatus(one.get()) == PGRES_FATAL_ERROR;
  };
  while (PostgresResult more = next()) {
    if (failed(more) && !failed(result)) result = std::move(more);
  }
  if (failed(result)) throw error_of(result.get());
  return result;
}

PostgresResult Postgres::run(const std::string& sql, const std::vector<std::string>& parameters) {
  std::vector<const char*> values;
  for (const std::string& parameter : parameters) values.push_back(parameter.c_str());
  if (libpq().PQsendQueryParams(connection_.get(), sql.c_str(), static_cast<int>(values.size()), nullptr,
                                values.data(), nullptr, nullptr, 0) == 0) {
    throw lost();
  }
  return finish(next());
}

PostgresResult Postgres::describe(const std::string& sql) {
  if (libpq().PQsendPrepare(connection_.get(), "", sql.c_str(), 0, nullptr) == 0) throw lost();
  finish(next());
  if (libpq().PQsendDescribePrepared(connection_.get(), "") == 0) throw lost();
  return finish(next());
}

void Postgres::start_copy(const std::string& sql) {
  if (libpq().PQsendQuery(connection_.get(), sql.c_str()) == 0) throw lost();
  PostgresResult result = next();
  const auto status = libpq().PQresultStatus(result.get());
  if (result && (status == PGRES_COPY_OUT || status == PGRES_COPY_IN)) return;
  finish(std::move(result));
  throw lost();
}

std::string_view Postgres::next_row() {
  char* row = nullptr;
  for (;;) {
    const int size = libpq().PQgetCopyData(connection_.get(), &row, 1);
    row_.reset(row);
    if (size > 0) return {row, static_cast<size_t>(size)};
    if (size == -1) {
      finish(next());
      return {};
    }
    if (size < 0)
      throw is_lost() ? lost() : error_of(PostgresResult(libpq().PQgetResult(connection_.get())).get());
    wait(POLLIN);
    if (libpq().PQconsumeInput(connection_.get()) == 0) throw lost();
  }
}

void Postgres::put(std::string_view bytes) {
  pg_conn* const connection = connection_.get();
  while (libpq().PQputCopyData(connection, bytes.data(), static_cast<int>(bytes.size())) != 1) {
    if (is_lost()) throw lost();
    wait(POLLIN | POLLOUT);
    if (libpq().PQconsumeInput(connection) == 0) throw lost();
  }
  // libpq would take more and more into memory.
  for (;;) {
    if (libpq().PQconsumeInput(connection) == 0) throw lost();
    const int left = libpq().PQflush(connection);
    if (left < 0) throw lost();
    if (left == 0) return;
    wait(POLLIN | POLLOUT);
  }
}

void Postgres::finish_copy() {
  while (libpq().PQputCopyEnd(connection_.get(), nullptr) != 1) {
    if (is_lost()) throw lost();
    wait(POLLIN | POLLOUT);
    if (libpq().PQconsumeInput(connection_.get()) == 0) throw lost();
  }
  finish(next());
}

std::string text_at(const PostgresResult& result, int row, int column) {
  return {libpq().PQgetvalue(result.get(), row, column),
          static_cast<size_t>(libpq().PQgetlength(result.get(), row, column))};
}
int rows_of(const PostgresResult& result) { return libpq().PQntuples(result.get()); }
int columns_of(const PostgresResult& result) { return libpq().PQnfields(result.get()); }

}  // namespace fugu::inline in_database
