#include "fugu/release/release_input.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "fugu/count/csv_rows.h"
#include "fugu/count/database_rows.h"
#include "fugu/release/counted_rows.h"

namespace fugu::inline in_release {

ReleaseInput::ReleaseInput(const ReleaseRequest& request, bool header) : request_(request), header_(header) {
  if (request.database) return;
  file_.emplace(
      request.input,
      CsvOptions{.separator = request.separator, .header = header, .block_size = request.chunk_size});
}

const TableHead& ReleaseInput::head() const {
  return request_.database ? request_.database->head() : file_->head();
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

void ReleaseInput::select(const RowLayout& rows, bool any_order, bool remembered_order) {
  const RememberedRows* const remembered = request_.counted_rows.get();
  std::unique_ptr<ByteSource> source;
  if (const auto counted = remembered && any_order ? remembered->counted(rows.wanted) : std::nullopt)
    source = CountedRows::in_random_order(*counted, head().separator);
  is_shuffled_ = source != nullptr;
  if (!source && !request_.database) {
    layout_ = file_->layout(rows.wanted);
    if (remembered && remembered_order) find_order(rows.wanted);
    return;
  }
  if (!source) source = request_.database->rows(rows.wanted, request_.total);
  other_.emplace(std::move(source), head().part(rows.wanted), request_.chunk_size);
  std::vector<size_t> all(rows.wanted.size());
  std::iota(all.begin(), all.end(), size_t{0});
  layout_ = other_->layout(std::move(all));
}

void ReleaseInput::find_order(const std::vector<size_t>& wanted) {
  const RowOrder& order = request_.counted_rows->order();
  if (order.parts.empty() || order.chunk_size != file_->chunk_size()) return;
  std::vector<uint32_t> become;
  auto counted = request_.counted_rows->counted(wanted, &become);
  if (!counted) return;
  distinct_ = std::move(*counted);
  order_ = &order;
  for (const std::vector<uint32_t>& rows : order.known) {
    std::vector<uint32_t>& numbers = numbers_.emplace_back();
    for (const uint32_t row : rows) numbers.push_back(become[row]);
  }
}

bool ReleaseInput::next(RowsToRelease& rows) {
  if (!order_) return reader().next(rows.chunk);
  if (next_part_ < order_->parts.size()) {
    rows.part = &order_->parts[next_part_++];
    return true;
  }
  if (order_->whole) return false;
  if (next_part_++ == order_->parts.size()) file_->skip_to(order_->parts.size(), order_->parts.back().end);
  return file_->next(rows.chunk);
}

double ReleaseInput::fraction(uint64_t rows) const {
  if (!order_) return reader().fraction();
  return std::min(1.0, static_cast<double>(rows) / static_cast<double>(request_.total));
}

}  // namespace fugu::inline in_release
