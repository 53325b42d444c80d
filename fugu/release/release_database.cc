#include "fugu/release/release_database.h"

#include <fmt/format.h>

#include <cctype>

#include "fugu/core/error.h"
#include "fugu/database/sql_name.h"
#include "fugu/file/atomic_file.h"
#include "fugu/file/folder_lock.h"
#include "fugu/release/receipt.h"
#include "fugu/release/release_file_set.h"

namespace fugu::inline in_release {
namespace {

void write_synced(AtomicFile& file, const std::string& text) {
  write_all(file.descriptor(), text.data(), text.size(), file.path());
  file.sync();
}

// The table is there, and cannot be taken back.
void commit_files(AtomicFile* kept_plan, AtomicFile& receipt, const std::string& into) {
  try {
    if (kept_plan) kept_plan->commit();
    receipt.commit();
  } catch (const Error& error) {
    if (kept_plan) kept_plan->take_back();
    throw Error(ErrorKind::kIo,
                fmt::format("{}; the table '{}' is in the database without its files", error.message(), into),
                "drop the table, and release again");
  }
}

}  // namespace

std::string DatabaseRelease::file_name() const {
  const SqlName name = parse_sql_name(into, "--into", false);
  std::string file = name.schema.empty() ? name.name : name.schema + "." + name.name;
  for (char& c : file) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isalnum(byte) == 0 && c != '.' && c != '-') c = '_';
  }
  if (file.starts_with('.')) file[0] = '_';
  return file;
}

void DatabaseRelease::check(DatabaseTable& database) const {
  database.check_new(into, force);
  check_files();
}

void DatabaseRelease::check_files() const {
  AtomicFile::check(receipt(), {.force = force, .option = "--into"});
  if (plan) AtomicFile::check(plan_path(), {.force = force, .option = "--into"});
}

FileReleased release_to_database(const ReleaseRequest& request, const Plan& plan, const DatabaseRelease& to,
                                 const Progress& progress) {
  AtomicFile receipt(to.receipt(), {.force = to.force});
  std::optional<AtomicFile> kept_plan;
  if (to.plan) {
    kept_plan.emplace(to.plan_path(), FileOptions{.force = to.force, .owner_only = true});
    write_synced(*kept_plan, *to.plan);
  }
  DatabaseTable& database = *request.database;
  std::unique_ptr<NewTable> table;
  auto open = [&](const std::vector<NewColumn>& columns) -> ByteSink& {
    table = database.create(to.into, columns, to.force);
    return table->rows();
  };
  FileReleased result;
  result.summary = release_table(request, plan, open, progress);
  result.receipt = receipt_to_json(plan, request, result.summary, std::nullopt);
  write_synced(receipt, result.receipt.pretty());
  database.done_reading();  // its locks would keep the old table from being replaced
  table->put_in_place();
  if (!to.force) to.check_files();  // before anything is spent, which would stay so
  if (to.before_it_appears) to.before_it_appears(result.summary);
  // Of two that replace one table, the files are those of the one that was committed last.
  const FolderLock lock(".");
  if (!to.force) to.check_files();
  SetAside old;
  if (to.force) {
    old.add(to.receipt());
    old.add_plan(to.plan_path(), kept_plan ? nullptr : &plan);
  }
  table->commit();
  old.remove();
  commit_files(kept_plan ? &*kept_plan : nullptr, receipt, to.into);
  return result;
}

}  // namespace fugu::inline in_release
