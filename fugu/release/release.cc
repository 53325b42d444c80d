#include "fugu/release/release.h"

#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <unordered_set>

#include "fugu/core/error.h"
#include "fugu/release/count_check.h"
#include "fugu/release/row_reader.h"
#include "fugu/release/shuffle.h"
#include "fugu/sample/mechanism_sampler.h"
#include "fugu/sample/random.h"
#include "fugu/table/byte_sink.h"
#include "fugu/table/chunk_scan.h"
#include "fugu/table/chunks.h"
#include "fugu/table/hot.h"
#include "fugu/verify/verify.h"

namespace fugu {
namespace {

// A chunk on its way through the pipeline.
struct Work {
  Chunk chunk;
  std::unique_ptr<char[]> out;  // not filled beforehand: most of it is never touched
  size_t size = 0;
  ScanResult scanned;
  uint64_t released = 0;
  bool failed = false;  // what was wrong is found again in order, with the right line
};

// The values that a channel knows; null where any lattice point within the range will do.
const std::vector<int64_t>* inputs_of(const Mechanism& mechanism) {
  const Channel* channel = std::get_if<Channel>(&mechanism);
  return channel ? &channel->inputs : nullptr;
}

class Release {
 public:
  Release(const ReleaseRequest& request, const Plan& plan, int output, const std::string& name,
          const Progress& progress)
      : request_(request),
        plan_(plan),
        progress_(progress),
        reader_(request.input, {.separator = request.separator,
                                .header = plan.scenario.source ? plan.scenario.source->header : true,
                                .block_size = request.chunk_size}),
        values_(plan.scenario, reader_.head().separator, inputs_of(plan.mechanism)),
        sampler_(plan.mechanism),
        sink_(output, name, compression_for(name)) {
    find_columns();
  }

  ReleaseSummary run() {
    write_head();
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
    if (counts()) compare_counts();
    if (request_.counted && file_state(request_.input) != request_.counted) {
      throw Error(ErrorKind::kIo,
                  fmt::format("{}: the table was changed while it was released", reader_.head().file),
                  "run the command again when nobody writes to it");
    }
    if (request_.shuffle) shuffled_.write(sink_);
    sink_.finish();
    return summary_;
  }

 private:
  // What each thread has of its own.
  struct Worker {
    explicit Worker(const Release& release)
        : scanner(release.reader_.layout(release.rows_.wanted)),
          reader(release.rows_, release.values_, *release.plan_.scenario.source, release.request_.drop) {}
    ChunkScanner scanner;
    RowReader reader;
    SecureRandom random;
    std::vector<int64_t> index;  // of the values, then of what is released
    std::vector<std::string_view> kept;
    std::unordered_set<std::string> texts;  // of kept columns that the plan covers, one for each group
  };

  void find_columns() {
    const TableHead& head = reader_.head();
    const auto& source = plan_.scenario.source;
    if (!source || source->published.size() != 1 || (!request_.new_data && source->secret.empty())) {
      throw Error(
          ErrorKind::kUsage, "--plan: the plan does not name the columns of a table",
          "calibrate from a table, or give the scenario file a \"source\" with \"secret\" and \"public\"");
    }
    std::set<size_t> secret;
    for (const std::string& name : source->secret) {
      // Every column of that name is the secret's. New data need not have it; where it has it, it is not to
      // be kept.
      for (size_t k = 0; k < head.header.size(); ++k) {
        if (head.header[k] == name) secret.insert(k);
      }
      if (counts()) rows_.wanted.push_back(head.column(name, "--plan"));
      if (has(name)) secret.insert(head.column(name, "--plan"));
    }
    rows_.secrets = rows_.wanted.size();
    const std::set<size_t> kept = find_given(*source);
    published_ = head.column(source->published[0], "--plan");
    rows_.wanted.push_back(published_);
    std::set<size_t> written = kept;
    written.insert(published_);
    for (const std::string& name : request_.keep_unprotected) {
      const size_t column = head.column(name, "--keep-unprotected");
      if (secret.contains(column)) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("--keep-unprotected: {} is the secret", head.column_place(column)),
                    "the secret is never written");
      }
      written.insert(column);
    }
    // Columns are written in the input's order.
    for (size_t column : written) {
      columns_.push_back(column);
      if (column == published_) continue;
      rows_.wanted.push_back(column);
      covered_.push_back(kept.contains(column));
      (kept.contains(column) ? summary_.kept : summary_.kept_unprotected).push_back(head.column_text(column));
    }
    for (size_t column : rows_.wanted) rows_.places.push_back(head.column_place(column));
    line_ = reader_.first_line();
  }

  // The given columns, which are read when the table is counted, for their missing fields, and when they are
  // kept. Returns those that are kept: all or none, because the plan covers whoever knows all of them, and
  // this says nothing about whoever knows some.
  std::set<size_t> find_given(const Source& source) {
    const TableHead& head = reader_.head();
    std::set<size_t> kept, given;
    for (const std::string& name : request_.keep) kept.insert(head.column(name, "--keep"));
    if (counts() || !kept.empty()) {
      for (const std::string& name : source.given) {
        rows_.wanted.push_back(head.column(name, "--plan"));
        rows_.given_names.push_back(source.header ? name : "column " + name);
        given.insert(rows_.wanted.back());
      }
      rows_.given = source.given.size();
    }
    if (kept.empty()) return kept;
    for (size_t column : kept) {
      if (!given.contains(column)) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("--keep: the plan was not calibrated against {}", head.column_place(column)),
                    "calibrate with it among --given; --keep-unprotected carries a column along without any "
                    "promise about it");
      }
    }
    if (kept != given) {
      throw Error(ErrorKind::kUsage,
                  "--keep: the plan was calibrated against several columns together, and these are not all",
                  fmt::format("keep {}, or calibrate against fewer", fmt::join(source.given, ",")));
    }
    if (!source.merged.empty() || !source.left_out.empty()) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--keep: {} of the groups that the kept columns tell apart are not covered by "
                              "the plan, being too small",
                              source.merged.size() + source.left_out.size()),
                  "calibrate against fewer or coarser columns, or with a lower --min-group");
    }
    for (const Prior& prior : plan_.scenario.priors) groups_.insert(prior.name);
    groups_.erase(plan_.scenario.priors.front().name);
    rows_.groups = &groups_;
    return kept;
  }

  // Whether the secret columns are read and the table's counts compared with the plan's. Rows to be dropped
  // for a missing secret must be read in any case.
  bool counts() const {
    return !request_.new_data && (!request_.counted || plan_.scenario.source->missing == "drop");
  }

  bool has(const std::string& name) const {
    try {
      reader_.head().column(name, "--plan");
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  void write_head() {
    const TableHead& head = reader_.head();
    if (head.header.empty()) return;
    std::string text = head.byte_order_mark ? "\xef\xbb\xbf" : "";
    for (size_t k = 0; k < columns_.size(); ++k) {
      if (k > 0) text += head.separator;
      text += columns_.size() == 1 ? trimmed(head.raw_header[columns_[k]]) : head.raw_header[columns_[k]];
    }
    sink_.write(text + head.line_end);
  }

  static std::string trimmed(const std::string& text) {
    const size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
  }

  std::shared_ptr<Work> next(tbb::flow_control& flow) {
    auto work = std::make_shared<Work>();
    if (!reader_.next(work->chunk)) flow.stop();
    return work;
  }

  std::shared_ptr<Work> release(std::shared_ptr<Work> work) {
    try {
      Worker& worker = *workers_.local();
      read(worker, *work, 1);
      write_rows(worker, *work);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kData) throw;
      work->failed = true;
    }
    return work;
  }

  void read(Worker& worker, Work& work, uint64_t first_line) const {
    worker.index.clear();
    worker.kept.clear();
    const size_t published = rows_.published(), fields_kept = rows_.wanted.size() - published - 1;
    work.scanned = worker.scanner.scan(
        work.chunk, first_line, [&](const Field* fields, uint64_t line, std::string_view) FUGU_HOT_LAMBDA {
          const Placed placed = worker.reader.read(fields, line);
          if (placed.kind != Placed::kValue) return;
          worker.index.push_back(placed.index);
          for (size_t k = 0; k < fields_kept; ++k) {
            const Field& field = fields[published + 1 + k];
            worker.kept.push_back(covered_[k] ? text_of_group(worker, field.text) : field.raw);
          }
        });
    work.released = worker.index.size();
  }

  // How a covered field is written: by its meaning alone. Blanks, quotes, or how a missing one was written
  // may go with the secret, and the plan speaks of groups, not of texts.
  std::string_view text_of_group(Worker& worker, std::string_view text) const {
    std::string written = worker.reader.is_missing(text) ? "" : csv_field(text, reader_.head().separator);
    return *worker.texts.insert(std::move(written)).first;
  }

  void write_rows(Worker& worker, Work& work) {
    const TableHead& head = reader_.head();
    const std::string& line_end = head.line_end;
    sampler_.release(worker.random, worker.index);
    size_t most = worker.index.size() * (values_.longest() + 2 + line_end.size() + columns_.size()) + 64;
    for (std::string_view raw : worker.kept) most += raw.size();
    work.out = std::make_unique_for_overwrite<char[]>(most);
    char* to = work.out.get();
    const bool alone = columns_.size() == 1, crlf = line_end.size() == 2;
    const std::string_view* kept = worker.kept.data();
    for (size_t row = 0; row < worker.index.size(); ++row) {
      const int64_t value = worker.index[row];
      if (alone) {
        to = values_.write(to, value);
      } else {
        to = write_row(to, value, kept);
      }
      if (crlf) *to++ = '\r';
      *to++ = '\n';
    }
    // The input's last line may have no end: then neither has the output's.
    const std::string_view text = work.chunk.text();
    if (!text.empty() && text.back() != '\n' && !worker.index.empty()) to -= line_end.size();
    work.size = static_cast<size_t>(to - work.out.get());
  }

  // The released value among the kept columns.
  char* write_row(char* to, int64_t value, const std::string_view*& kept) const {
    for (size_t k = 0; k < columns_.size(); ++k) {
      if (k > 0) *to++ = reader_.head().separator;
      if (columns_[k] == published_) {
        to = values_.write(to, value);
      } else {
        std::memcpy(to, kept->data(), kept->size());
        to += (kept++)->size();
      }
    }
    return to;
  }

  void write(Work& work) {
    if (work.failed) {
      // Once more, now that the line it begins on is known; nothing that was drawn is kept.
      Worker again(*this);
      try {
        read(again, work, line_);
      } catch (const Error& error) {
        throw error.at(reader_.head().file);
      }
      throw Error(ErrorKind::kBug, "a chunk that failed was read again without an error",
                  "please report this");
    }
    line_ += work.scanned.lines;
    summary_.rows += work.scanned.records;
    summary_.released += work.released;
    summary_.dropped += work.scanned.records - work.released;
    if (request_.shuffle) {
      shuffled_.add({work.out.get(), work.size}, reader_.head().line_end);
    } else {
      sink_.write({work.out.get(), work.size});
    }
    report(progress_, reader_.fraction(), fmt::format("released {} rows", summary_.released));
  }

  void compare_counts() {
    CellCounts counts;
    for (const auto& worker : workers_) worker->reader.collect(counts);
    if (are_counts_of(plan_.scenario, counts)) return;
    throw Error(ErrorKind::kGuarantee,
                fmt::format("{}: the table is not the one that the plan was made from", reader_.head().file),
                "calibrate again; or, if this is new data that the plan's prior describes, give --new-data");
  }

  const ReleaseRequest& request_;
  const Plan& plan_;
  const Progress& progress_;
  ChunkReader reader_;
  ReleasedValues values_;
  MechanismSampler sampler_;
  ByteSink sink_;
  RowLayout rows_;
  std::set<std::string> groups_;  // that may be released with their kept columns
  size_t published_ = 0;
  std::vector<size_t> columns_;  // that are written, in order
  std::vector<bool> covered_;    // of those that are kept: whether the plan was calibrated against them
  uint64_t line_ = 1;
  ReleaseSummary summary_;
  ShuffledRows shuffled_;
  tbb::enumerable_thread_specific<std::unique_ptr<Worker>> workers_{
      [this] { return std::make_unique<Worker>(*this); }};
};

}  // namespace

ReleaseSummary release_table(const ReleaseRequest& request, const Plan& plan, int output,
                             const std::string& name, const Progress& progress) {
  verify(plan);
  return Release(request, plan, output, name, progress).run();
}

}  // namespace fugu
