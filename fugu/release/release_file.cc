#include "fugu/release/release_file.h"

#include <unistd.h>

#include "fugu/core/digest.h"
#include "fugu/release/receipt.h"
#include "fugu/table/atomic_file.h"

namespace fugu {
namespace {

std::string digest_of(int file) {
  Sha256 hash;
  std::string block(size_t{1} << 20, '\0');
  off_t at = 0;
  for (ssize_t size = 0; (size = ::pread(file, block.data(), block.size(), at)) > 0; at += size) {
    hash.add({block.data(), static_cast<size_t>(size)});
  }
  return hash.finish();
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
  result.summary = release_table(request, plan, output.descriptor(), file.output, progress);
  const auto digest = file.digest ? std::optional(digest_of(output.descriptor())) : std::nullopt;
  result.receipt = receipt_to_json(plan, request, result.summary, digest);
  const std::string text = result.receipt.pretty();
  write_all(receipt.descriptor(), text.data(), text.size(), file.receipt());
  if (file.before_it_appears) file.before_it_appears();
  if (kept_plan) kept_plan->commit();
  output.commit();
  receipt.commit();
  return result;
}

}  // namespace fugu
