#include "fugu/release/release_file.h"

#include "fugu/core/digest.h"
#include "fugu/file/atomic_file.h"
#include "fugu/file/byte_sink.h"
#include "fugu/file/folder_lock.h"
#include "fugu/release/receipt.h"
#include "fugu/release/release_file_set.h"

namespace fugu::inline in_release {
namespace {

// A new plan comes before its output, which nobody can do without; where it would stand beside an old output
// for a moment, after it.
void put_in_place(AtomicFile* kept_plan, AtomicFile& output, AtomicFile& receipt, const Plan& plan,
                  const FileRelease& file) {
  const FolderLock lock(folder_of(file.output));
  if (!file.force) file.check();
  try {
    SetAside old;
    if (file.force) {
      old.add(file.receipt());
      old.add_plan(file.plan_path(), kept_plan ? nullptr : &plan);
    }
    if (kept_plan && !file.force) kept_plan->commit();
    output.commit();
    old.remove();
    if (kept_plan && file.force) kept_plan->commit();
    receipt.commit();
  } catch (...) {
    output.take_back();
    if (kept_plan) kept_plan->take_back();
    throw;
  }
}

}  // namespace

void FileRelease::check() const {
  AtomicFile::check(output, {.force = force});
  AtomicFile::check(receipt(), {.force = force});
  if (plan) AtomicFile::check(plan_path(), {.force = force});
}

FileReleased release_to_file(const ReleaseRequest& request, const Plan& plan, const FileRelease& file,
                             const Progress& progress) {
  AtomicFile output(file.output, {.force = file.force}), receipt(file.receipt(), {.force = file.force});
  std::optional<AtomicFile> kept_plan;
  if (file.plan) {
    kept_plan.emplace(file.plan_path(), FileOptions{.force = file.force, .owner_only = true});
    write_all(kept_plan->descriptor(), file.plan->data(), file.plan->size(), file.plan_path());
  }
  FileReleased result;
  Sha256 digest;
  FileSink sink(output.descriptor(), file.output, compression_for(file.output), &digest);
  auto open = [&](const std::vector<NewColumn>&) -> ByteSink& { return sink; };
  result.summary = release_table(request, plan, open, progress);
  result.receipt = receipt_to_json(plan, request, result.summary, digest.finish());
  const std::string text = result.receipt.pretty();
  write_all(receipt.descriptor(), text.data(), text.size(), file.receipt());
  if (file.before_it_appears) file.before_it_appears(result.summary);
  put_in_place(kept_plan ? &*kept_plan : nullptr, output, receipt, plan, file);
  return result;
}

}  // namespace fugu::inline in_release
