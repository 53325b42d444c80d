#include "fugu/release/release_database.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cctype>

#include "fugu/release/receipt.h"
#include "fugu/table/atomic_file.h"
#include "fugu/table/sql_name.h"

namespace fugu {
namespace {

// Whoever else takes it waits until it is gone; a process that is killed leaves none.
class FolderLock {
 public:
  explicit FolderLock(const char* path) : folder_(::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (folder_ >= 0) ::flock(folder_, LOCK_EX);
  }
  ~FolderLock() {
    if (folder_ >= 0) ::close(folder_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int folder_;
};

void write_synced(AtomicFile& file, const std::string& text) {
  write_all(file.descriptor(), text.data(), text.size(), file.path());
  file.sync();
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
  if (to.before_it_appears) to.before_it_appears();
  // Of two that replace one table, the files are those of the one that was committed last.
  const FolderLock lock(".");
  table->commit();
  if (kept_plan) kept_plan->commit();
  receipt.commit();
  return result;
}

}  // namespace fugu
