#include "fugu/release/release_input.h"

#include <numeric>

#include "fugu/count/csv_rows.h"
#include "fugu/count/database_rows.h"
#include "fugu/release/counted_rows.h"

namespace fugu::inline in_release {

ReleaseInput::ReleaseInput(const ReleaseRequest& request, bool header) : request_(request), header_(header) {
  if (request.database) return;
  reader_.emplace(
      request.input,
      CsvOptions{.separator = request.separator, .header = header, .block_size = request.chunk_size});
}

const TableHead& ReleaseInput::head() const {
  return request_.database ? request_.database->head() : reader_->head();
}

void ReleaseInput::check(const RowLayout& rows) const {
  for (size_t k = 0; request_.database && k < rows.terms.fields(); ++k)
    request_.database->check_readable(rows.wanted[k]);
  for (const auto& besides : {rows.person, rows.weight}) {
    if (request_.database && besides) request_.database->check_readable(rows.wanted[*besides]);
  }
}

std::unique_ptr<RowSource> ReleaseInput::once_more() const {
  if (request_.database) return std::make_unique<DatabaseRows>(request_.database);
  if (request_.input == "-") {
    throw usage("-: the plan takes one row per person, and must read the table twice",
                "put the table into a file first");
  }
  return std::make_unique<CsvRows>(
      request_.input,
      CsvOptions{.separator = request_.separator, .header = header_, .block_size = request_.chunk_size});
}

void ReleaseInput::select(const RowLayout& rows, bool any_order) {
  if (!request_.database) {
    layout_ = reader_->layout(rows.wanted);
    return;
  }
  DatabaseTable& table = *request_.database;
  std::unique_ptr<ByteSource> source;
  if (const auto counted =
          request_.counted_rows && any_order ? request_.counted_rows->counted(rows.wanted) : std::nullopt) {
    source = CountedRows::in_random_order(*counted, table.head().separator);
  }
  is_shuffled_ = source != nullptr;
  if (!source) source = table.rows(rows.wanted, request_.total);
  reader_.emplace(std::move(source), table.head_of(rows.wanted), request_.chunk_size);
  std::vector<size_t> all(rows.wanted.size());
  std::iota(all.begin(), all.end(), size_t{0});
  layout_ = reader_->layout(std::move(all));
}

}  // namespace fugu::inline in_release
