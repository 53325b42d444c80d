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
#include "fugu/release/kept_columns.h"
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

// The texts of each released column.
std::vector<ReleasedValues> values_of(const std::vector<ColumnRelease>& columns, char separator) {
  std::vector<ReleasedValues> values;
  for (const ColumnRelease& column : columns)
    values.emplace_back(column.map, separator, inputs_of(column.mechanism));
  return values;
}

// What is drawn for each of them.
std::vector<MechanismSampler> samplers_of(const std::vector<ColumnRelease>& columns) {
  std::vector<MechanismSampler> samplers;
  for (const ColumnRelease& column : columns) samplers.emplace_back(column.mechanism);
  return samplers;
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
        released_columns_(column_releases(plan)),
        values_(values_of(released_columns_, reader_.head().separator)),
        samplers_(samplers_of(released_columns_)),
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
          reader(release.rows_, release.values_, release.plan_.scenario, release.request_.drop),
          index(release.values_.size()) {}
    ChunkScanner scanner;
    RowReader reader;
    SecureRandom random;
    std::vector<std::vector<int64_t>> index;  // by column, of the values, then of what is released
    std::vector<std::string_view> kept;
    std::unordered_set<std::string> texts;  // of kept columns that the plan covers, one for each group
  };

  void find_columns() {
    const TableHead& head = reader_.head();
    const auto& source = plan_.scenario.source;
    if (!source || source->published.size() != values_.size() ||
        (!request_.new_data && source->secret.empty())) {
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
    for (const std::string& name : source->published) {
      const size_t column = head.column(name, "--plan");
      if (std::count(published_.begin(), published_.end(), column) > 0) {
        throw Error(ErrorKind::kUsage, fmt::format("--plan: {} is released twice", head.column_place(column)),
                    "calibrate with each column named once");
      }
      published_.push_back(column);
      rows_.wanted.push_back(column);
    }
    rows_.released = published_.size();
    std::set<size_t> written = kept;
    for (size_t column : published_) written.erase(column);
    written.insert(published_[0]);
    for (const std::string& name : request_.keep_unprotected) {
      const size_t column = head.column(name, "--keep-unprotected");
      if (secret.contains(column)) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("--keep-unprotected: {} is the secret", head.column_place(column)),
                    "the secret is never written");
      }
      if (std::count(published_.begin(), published_.end(), column) > 0) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("--keep-unprotected: {} is released already", head.column_place(column)),
                    "leave it out: it is written with its noise");
      }
      written.insert(column);
    }
    // Columns are written in the input's order; of several that are released, all where the first one is.
    for (size_t column : written) {
      if (column == published_[0]) {
        for (size_t c = 0; c < published_.size(); ++c) {
          columns_.push_back(published_[c]);
          released_.push_back(static_cast<int>(c));
        }
        continue;
      }
      columns_.push_back(column);
      released_.push_back(-1);
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
    std::set<size_t> kept;
    for (const std::string& name : request_.keep) kept.insert(head.column(name, "--keep"));
    if (counts() || !kept.empty()) {
      for (const std::string& name : source.given) {
        rows_.wanted.push_back(head.column(name, "--plan"));
        rows_.given_names.push_back(source.header ? name : "column " + name);
      }
      rows_.given = source.given.size();
    }
    if (kept.empty()) return kept;
    std::vector<std::string> names;
    for (size_t column : kept) names.push_back(head.column_text(column));
    check_keeps_given(source, names);
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
      text += columns_.size() == published_.size() ? trimmed(head.raw_header[columns_[k]])
                                                   : head.raw_header[columns_[k]];
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
    for (auto& index : worker.index) index.clear();
    worker.kept.clear();
    const size_t first_kept = rows_.published() + rows_.released,
                 fields_kept = rows_.wanted.size() - first_kept;
    std::vector<int64_t>& first = worker.index[0];
    const bool several = rows_.released > 1;
    work.scanned = worker.scanner.scan(
        work.chunk, first_line, [&](const Field* fields, uint64_t line, std::string_view) FUGU_HOT_LAMBDA {
          const Placed placed = worker.reader.read(fields, line);
          if (placed.kind != Placed::kValue) return;
          if (several) {
            const Point& point = worker.reader.joint(placed.index);
            for (size_t c = 0; c < point.size(); ++c) worker.index[c].push_back(point[c]);
          } else {
            first.push_back(placed.index);
          }
          for (size_t k = 0; k < fields_kept; ++k) {
            const Field& field = fields[first_kept + k];
            worker.kept.push_back(covered_[k] ? text_of_group(worker, field.text) : field.raw);
          }
        });
    work.released = first.size();
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
    size_t longest = 0;
    for (size_t c = 0; c < samplers_.size(); ++c) {
      samplers_[c].release(worker.random, worker.index[c]);
      longest += values_[c].longest();
    }
    const std::vector<int64_t>& first = worker.index[0];
    size_t most = first.size() * (longest + 2 + line_end.size() + columns_.size()) + 64;
    for (std::string_view raw : worker.kept) most += raw.size();
    work.out = std::make_unique_for_overwrite<char[]>(most);
    char* to = work.out.get();
    const bool alone = columns_.size() == 1, crlf = line_end.size() == 2;
    const std::string_view* kept = worker.kept.data();
    for (size_t row = 0; row < first.size(); ++row) {
      if (alone) {
        to = values_[0].write(to, first[row]);
      } else {
        to = write_row(to, worker, row, kept);
      }
      if (crlf) *to++ = '\r';
      *to++ = '\n';
    }
    // The input's last line may have no end: then neither has the output's.
    const std::string_view text = work.chunk.text();
    if (!text.empty() && text.back() != '\n' && !first.empty()) to -= line_end.size();
    work.size = static_cast<size_t>(to - work.out.get());
  }

  // The released values among the kept columns.
  char* write_row(char* to, const Worker& worker, size_t row, const std::string_view*& kept) const {
    for (size_t k = 0; k < columns_.size(); ++k) {
      if (k > 0) *to++ = reader_.head().separator;
      if (released_[k] >= 0) {
        const auto c = static_cast<size_t>(released_[k]);
        to = values_[c].write(to, worker.index[c][row]);
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
  std::vector<ColumnRelease> released_columns_;
  std::vector<ReleasedValues> values_;      // by released column
  std::vector<MechanismSampler> samplers_;  // by released column
  ByteSink sink_;
  RowLayout rows_;
  std::set<std::string> groups_;  // that may be released with their kept columns
  std::vector<size_t> published_;
  std::vector<size_t> columns_;  // that are written, in order
  std::vector<int> released_;    // which released column each of them is; -1 for one that is kept
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
