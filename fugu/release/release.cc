#include "fugu/release/release.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <memory>
#include <span>

#include "fugu/core/digest.h"
#include "fugu/core/error.h"
#include "fugu/core/json.h"
#include "fugu/file/byte_sink.h"
#include "fugu/release/chosen_rows.h"
#include "fugu/release/count_check.h"
#include "fugu/release/release_columns.h"
#include "fugu/release/release_input.h"
#include "fugu/release/released_values.h"
#include "fugu/release/row_draw.h"
#include "fugu/release/row_reader.h"
#include "fugu/release/rows_reader.h"
#include "fugu/release/shuffle.h"
#include "fugu/sample/random.h"
#include "fugu/verify/verify.h"

namespace fugu::inline in_release {
namespace {

constexpr size_t kAtOnce = 2048;  // rows that are drawn and then written, while they are in the nearest cache

// Some rows on their way through the pipeline.
struct Work {
  RowsToRelease rows;
  std::unique_ptr<char[]> out;  // not filled beforehand: most of it is never touched
  size_t size = 0;
  ScatteredRows scattered = {};  // in place of `out`, when rows are to be shuffled
  RowsDone read;
  bool failed = false;  // what was wrong is found again in order, with the right line
  std::exception_ptr error;
};

// The texts of each released column.
std::vector<ReleasedValues> values_of(const std::vector<ColumnRelease>& columns, char separator) {
  std::vector<ReleasedValues> values;
  for (const ColumnRelease& column : columns) values.emplace_back(column.map, separator, inputs_of(column));
  return values;
}

class Release {
 public:
  Release(const ReleaseRequest& request, const Plan& plan, const OpenOutput& open, const Progress& progress)
      : request_(request),
        plan_(plan),
        progress_(progress),
        input_(request, plan.scenario.source ? plan.scenario.source->header : true),
        head_(input_.head()),
        released_columns_(column_releases(plan)),
        values_(values_of(released_columns_, head_.separator)),
        draw_(plan),
        columns_(find_release_columns(request, plan, head_, values_.size())),
        rows_(columns_.rows) {
    for (const ReleasedValues& column : values_) columns_.rows.terms.maps.push_back(&column.fields());
    if (draw_.is_whole()) columns_.rows.draw = &draw_;
    input_.check(rows_);
    if (rows_.person) {
      chosen_ = std::make_unique<ChosenRows>(*input_.once_more(), rows_, plan.scenario, progress);
    }
    sink_ = &open(new_columns());  // before rows are on their way
    const bool shuffled = shuffles(request, plan);
    const bool takes_remembered = !shuffled && !request.digest_rows && are_alone(columns_);
    input_.select(rows_, shuffled && takes_any_order(), takes_remembered);
    scatters_ = shuffled && !input_.is_shuffled();
    if (input_.is_shuffled()) columns_.rows.name.row_word = "";
    line_ = input_.reader().first_line();
    // The same rows under other names are other columns.
    for (const std::string& name : request.database ? rows_.places : head_.header)
      rows_digest_.add(Json::string(name).canonical() + "\n");  // whatever the names hold
    summary_.kept = columns_.kept;
    summary_.kept_unprotected = columns_.kept_unprotected;
  }

  ReleaseSummary run() {
    if (sink_->takes_header()) write_head();
    const size_t tokens = 2 * static_cast<size_t>(tbb::this_task_arena::max_concurrency()) + 2;
    tbb::parallel_pipeline(
        tokens,
        tbb::make_filter<void, std::shared_ptr<Work>>(tbb::filter_mode::serial_in_order,
                                                      [&](tbb::flow_control& flow) { return next(flow); }) &
            tbb::make_filter<std::shared_ptr<Work>, std::shared_ptr<Work>>(
                tbb::filter_mode::parallel,
                [&](std::shared_ptr<Work> work) { return release(std::move(work)); }) &
            tbb::make_filter<std::shared_ptr<Work>, void>(
                tbb::filter_mode::serial_in_order, [&](const std::shared_ptr<Work>& work) { write(*work); }));
    if (error_) std::rethrow_exception(error_);
    check_labels();
    check_rows_are_people();
    if (columns_.counts) compare_counts();
    if (request_.counted && file_state(request_.input) != request_.counted) {
      throw Error(ErrorKind::kIo, fmt::format("{}: the table was changed while it was released", head_.file),
                  "run the command again when nobody writes to it");
    }
    if (scatters_) shuffled_.write(*sink_);
    sink_->finish();
    // Of a database only what is read is in the digest: without the secret, other people may have equal rows.
    if (request_.digest_rows && (!request_.database || columns_.rows.terms.secrets > 0 || columns_.counts))
      summary_.rows_digest = rows_digest_.finish();
    return summary_;
  }

 private:
  // What each thread has of its own.
  struct Worker {
    explicit Worker(const Release& release)
        : rows(release.input_, release.columns_, release.chosen_.get()), index(release.values_.size()) {}
    RowsReader rows;
    SecureRandom random;
    std::vector<std::vector<int64_t>> index;  // of some rows, by column: the value, then what is released
    std::vector<uint32_t> ends;               // of the rows written
  };

  // Whether rows that come in another order, written by their meaning alone, are released as well.
  bool takes_any_order() const {
    return !request_.digest_rows && std::ranges::count(columns_.covered, false) == 0;
  }

  // What is written, as columns of a new table.
  std::vector<NewColumn> new_columns() const {
    std::vector<NewColumn> result;
    for (size_t k = 0, kept = 0; k < columns_.written.size(); ++k) {
      const int released = columns_.released[k];
      NewColumn column{.content = NewColumn::Content::kKept};
      if (released >= 0) {
        column = values_[static_cast<size_t>(released)].column();
      } else {
        column.quotes_tell = !columns_.covered[kept++];
      }
      column.source = columns_.written[k];
      if (!head_.header.empty()) column.name = head_.header[column.source];
      result.push_back(std::move(column));
    }
    return result;
  }

  void write_head() {
    if (head_.header.empty()) return;
    std::string text = head_.byte_order_mark ? "\xef\xbb\xbf" : "";
    const std::vector<size_t>& written = columns_.written;
    for (size_t k = 0; k < written.size(); ++k) {
      if (k > 0) text += head_.separator;
      text += written.size() == rows_.terms.released ? trimmed(head_.raw_header[written[k]])
                                                     : head_.raw_header[written[k]];
    }
    sink_->write(text + head_.line_end);
  }

  static std::string trimmed(const std::string& text) {
    const size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
  }

  // TBB never frees what a stage holds that throws. So none does: an error goes along to the last, and ends
  // the rest.
  std::shared_ptr<Work> next(tbb::flow_control& flow) {
    auto work = std::make_shared<Work>();
    try {
      if (ended_ || !input_.next(work->rows)) flow.stop();
    } catch (...) {
      work->error = std::current_exception();
      ended_ = true;
    }
    return work;
  }

  std::shared_ptr<Work> release(std::shared_ptr<Work> work) {
    if (work->error) return work;
    try {
      Worker& worker = *workers_.local();
      work->read = worker.rows.read(work->rows, 1);
      write_rows(worker, *work);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kData || error.kind() == ErrorKind::kUsage) {
        work->failed = true;
      } else {
        work->error = std::current_exception();
      }
    } catch (...) {
      work->error = std::current_exception();
    }
    return work;
  }

  void write_rows(Worker& worker, Work& work) {
    const std::span<const uint32_t> numbers = worker.rows.numbers();
    const size_t rows = numbers.size(), line_end = head_.line_end.size();
    size_t longest = 0;
    for (const ReleasedValues& column : values_) longest += column.longest();
    size_t most = rows * (longest + line_end + columns_.written.size()) + ReleasedValues::kRoom;
    for (std::string_view raw : worker.rows.kept()) most += raw.size();
    work.out = std::make_unique_for_overwrite<char[]>(most);
    char* to = work.out.get();
    const std::string_view* kept = worker.rows.kept().data();
    worker.ends.clear();
    for (size_t first = 0; first < rows; first += kAtOnce) {
      draw_rows(worker, numbers.subspan(first, std::min(kAtOnce, rows - first)));
      to = columns_.written.size() == 1 ? write_column(to, worker, work) : write_rows(to, worker, work, kept);
    }
    // The input's last line may have no end: then neither has the output's, while it is the last.
    if (!work.rows.ends_line() && rows > 0 && !scatters_) to -= line_end;
    work.size = static_cast<size_t>(to - work.out.get());
    if (!scatters_) return;
    work.scattered = scatter(worker.random, {work.out.get(), work.size}, worker.ends);
    work.out.reset();
  }

  // What these rows are released as, by column.
  void draw_rows(Worker& worker, std::span<const uint32_t> numbers) const {
    const RowReader& reader = worker.rows.reader();
    const bool several = rows_.terms.released > 1 && !draw_.is_whole();
    for (size_t c = 0; c < (several ? values_.size() : 1); ++c) {
      std::vector<int64_t>& index = worker.index[c];
      index.resize(numbers.size());
      for (size_t row = 0; row < numbers.size(); ++row)
        index[row] = several ? reader.value(numbers[row])[c] : reader.index(numbers[row]);
    }
    draw_.release(worker.random, worker.index);
  }

  char* end_line(char* to, Worker& worker, const Work& work) const {
    if (head_.line_end.size() == 2) *to++ = '\r';
    *to++ = '\n';
    if (scatters_) worker.ends.push_back(static_cast<uint32_t>(to - work.out.get()));
    return to;
  }

  char* write_column(char* to, Worker& worker, const Work& work) const {
    if (head_.line_end.size() == 1 && !scatters_) return values_[0].write_lines(to, worker.index[0]);
    for (const int64_t index : worker.index[0]) to = end_line(values_[0].write(to, index), worker, work);
    return to;
  }

  char* write_rows(char* to, Worker& worker, const Work& work, const std::string_view*& kept) const {
    for (size_t row = 0; row < worker.index[0].size(); ++row)
      to = end_line(write_row(to, worker, row, kept), worker, work);
    return to;
  }

  // The released values among the kept columns.
  char* write_row(char* to, const Worker& worker, size_t row, const std::string_view*& kept) const {
    for (size_t k = 0; k < columns_.written.size(); ++k) {
      if (k > 0) *to++ = head_.separator;
      if (columns_.released[k] >= 0) {
        const auto c = static_cast<size_t>(columns_.released[k]);
        to = values_[c].write(to, worker.index[c][row]);
      } else {
        std::memcpy(to, kept->data(), kept->size());
        to += (kept++)->size();
      }
    }
    return to;
  }

  void write(Work& work) {
    if (error_) return;
    try {
      if (work.error) std::rethrow_exception(work.error);
      write_checked(work);
    } catch (...) {
      error_ = std::current_exception();
      ended_ = true;
    }
  }

  void write_checked(Work& work) {
    if (work.failed) {
      // Once more, now that the line it begins on is known; nothing that was drawn is kept.
      Worker again(*this);
      try {
        again.rows.read(work.rows, line_);
      } catch (const Error& error) {
        throw error.at(head_.file);
      }
      throw Error(ErrorKind::kBug, "a chunk that failed was read again without an error",
                  "please report this");
    }
    if (request_.digest_rows) rows_digest_.add(work.rows.chunk.text());
    const RowsDone& read = work.read;
    line_ += read.scanned.lines;
    summary_.rows += read.scanned.records;
    summary_.released += read.released;
    summary_.undrawn += read.undrawn;
    summary_.outside += read.outside;
    summary_.dropped += read.scanned.records - read.released - read.undrawn - read.outside;
    if (scatters_) {
      shuffled_.add(work.scattered);
    } else {
      sink_->write({work.out.get(), work.size});
    }
    report(progress_, input_.fraction(summary_.rows), fmt::format("released {} rows", summary_.released));
  }

  // Before the counts, which labels stand for.
  void check_labels() {
    LabelsSeen seen;
    for (const auto& worker : workers_) worker->rows.reader().check_labels(seen);
    check_names(head_, seen.names, rows_.wanted, columns_.header);
  }

  void check_rows_are_people() {
    if (chosen_) return chosen_->check_taken(head_.file);
    WatchedCounts seen(rows_.watched);
    for (const auto& worker : workers_) seen.add(worker->rows.watched());
    check_people(head_, rows_.watched, seen);
  }

  void compare_counts() {
    if (plan_.scenario.rows_per_person() > 1) return;  // done when the rows were chosen
    CellCounts counts;
    CellMasses masses;
    for (const auto& worker : workers_) worker->rows.reader().collect(plan_.scenario.points, counts, masses);
    if (are_counts_of(plan_.scenario, counts, masses)) return;
    throw Error(ErrorKind::kGuarantee,
                fmt::format("{}: the table is not the one that the plan was made from", head_.file),
                "calibrate again; or, if this is new data that the plan's prior describes, give --new-data");
  }

  const ReleaseRequest& request_;
  const Plan& plan_;
  const Progress& progress_;
  ReleaseInput input_;
  const TableHead& head_;
  std::vector<ColumnRelease> released_columns_;
  std::vector<ReleasedValues> values_;  // by released column
  RowDraw draw_;
  bool scatters_ = false;  // rows that come in their order go out in any
  ReleaseColumns columns_;
  const RowLayout& rows_;
  std::unique_ptr<ChosenRows> chosen_;  // where the plan takes one row of each person
  ByteSink* sink_ = nullptr;
  uint64_t line_ = 1;
  ReleaseSummary summary_;
  Sha256 rows_digest_;
  ShuffledRows shuffled_;
  std::exception_ptr error_;  // the first in the order of rows
  std::atomic<bool> ended_ = false;
  tbb::enumerable_thread_specific<std::unique_ptr<Worker>> workers_{
      [this] { return std::make_unique<Worker>(*this); }};
};

}  // namespace

bool order_tells(const Plan& plan) { return plan.scenario.rows_per_person() > 1; }

void check_order(bool keep_order, const Plan& plan) {
  if (!keep_order || !order_tells(plan)) return;
  throw usage(
      "--keep-order: the plan releases several rows per person, and their order may reveal the person",
      "leave it out: the rows come in random order");
}

void check_new_data(bool new_data, const Plan& plan) {
  if (!new_data || plan.scenario.rows_per_person() == 1) return;
  throw usage("--new-data: the plan releases several rows per person, and does not know those of new people",
              "calibrate on the new table");
}

bool shuffles(const ReleaseRequest& request, const Plan& plan) {
  if (order_tells(plan)) return !request.rows_are_people;
  return request.shuffle || (std::holds_alternative<Swap>(plan.mechanism) && !request.keep_order);
}

ReleaseSummary release_table(const ReleaseRequest& request, const Plan& plan, const OpenOutput& open,
                             const Progress& progress) {
  verify(plan);
  check_publishable(plan, request.publish_min);
  if (!request.rows_are_people) check_order(request.keep_order, plan);
  if (!request.rows_are_people) check_new_data(request.new_data, plan);
  return Release(request, plan, open, progress).run();
}

ReleaseSummary release_table(const ReleaseRequest& request, const Plan& plan, int output,
                             const std::string& name, const Progress& progress) {
  FileSink sink(output, name, compression_for(name));
  auto open = [&](const std::vector<NewColumn>&) -> ByteSink& { return sink; };
  return release_table(request, plan, open, progress);
}

}  // namespace fugu::inline in_release
