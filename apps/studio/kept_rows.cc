#include "apps/studio/kept_rows.h"

#include <algorithm>

#include "fugu/core/error.h"

namespace fugu::studio {
namespace {

constexpr size_t kMostChoices = 8;         // choices of columns
constexpr size_t kMostDistinct = 4000000;  // rows of one: more are counted anew each time

std::vector<Field> fields_of(std::string_view row, size_t columns) {
  std::vector<Field> fields(columns);
  for (Field& field : fields) {
    const size_t end = std::min(row.find('\0'), row.size());
    field.text = row.substr(0, end);
    row.remove_prefix(std::min(end + 1, row.size()));
  }
  return fields;
}

// A tally cannot be copied, and whoever counts takes it away.
RowCounts copy_of(const RowCounts& counts) {
  RowCounts copy;
  copy.total = counts.total;
  for (const Tally::Entry& row : counts.rows.entries()) copy.rows.add(row.key, row.line, row.count);
  copy.watched = counts.watched;
  return copy;
}

}  // namespace

KeptRows::KeptRows(std::string path, const CsvOptions& options)
    : path_(std::move(path)),
      options_(options),
      state_(file_state(path_)),
      head_(ChunkReader(path_, options_).head()) {}

std::shared_ptr<const RowCounts> KeptRows::find(const std::vector<size_t>& columns, const Watched& watched) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
    return kept.columns == columns && kept.watched == watched;
  });
  if (found == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  return found->counts;
}

RowCounts KeptRows::count(const std::vector<size_t>& columns, const RowCheck& check, const Progress& progress,
                          const Watched& watched) {
  auto counts = find(columns, watched);
  if (!counts) {
    const std::lock_guard alone(counting_);
    counts = find(columns, watched);
    if (!counts) {
      ChunkReader reader(path_, options_);
      RowCounts fresh = count_rows(reader, columns, check, 0, progress, watched);
      if (state_ != file_state(path_)) {
        throw Error(ErrorKind::kIo, path_ + ": the file was changed while it was open here",
                    "open the table again");
      }
      if (fresh.rows.size() > kMostDistinct) return fresh;
      counts = std::make_shared<const RowCounts>(std::move(fresh));
      const std::lock_guard lock(mutex_);
      kept_.push_front({columns, watched, counts});
      if (kept_.size() > kMostChoices) kept_.pop_back();
      return copy_of(*counts);
    }
  }
  // Entries come in the order of their first lines, so the first that fails is the first in the file.
  for (const Tally::Entry& row : counts->rows.entries())
    check(fields_of(row.key, columns.size()).data(), row.line);
  return copy_of(*counts);
}

}  // namespace fugu::studio
