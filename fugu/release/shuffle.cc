#include "fugu/release/shuffle.h"

#include <fcntl.h>
#include <unistd.h>

#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <numeric>
#include <utility>

#include "fugu/core/error.h"
#include "fugu/file/atomic_file.h"

namespace fugu::inline in_release {
namespace {

constexpr size_t kSizeBytes = sizeof(uint32_t);

// What waits is not published yet: a file that only its owner may read, and that is gone with the program.
int open_nameless() {
  std::error_code wrong;
  const std::string folder = std::filesystem::temp_directory_path(wrong);
  if (wrong) {
    throw Error(ErrorKind::kIo, "TMPDIR: there is no such folder for shuffling the rows",
                "name a folder with room for the output in TMPDIR");
  }
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string name = folder + "/fugu.XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named < 0) {
    throw Error(ErrorKind::kIo, folder + ": cannot hold the rows to be shuffled: " + std::strerror(errno),
                "name a folder with room for the output in TMPDIR");
  }
  ::unlink(name.c_str());
  return named;
}

}  // namespace

std::vector<int64_t> random_order(size_t rows) {
  std::vector<int64_t> order(rows);
  std::iota(order.begin(), order.end(), 0);
  SecureRandom random;
  shuffle(random, order);
  return order;
}

ScatteredRows scatter(SecureRandom& random, std::string_view rows, const std::vector<uint32_t>& ends) {
  if (rows.size() != (ends.empty() ? 0 : ends.back())) {
    throw Error(ErrorKind::kBug, "rows to be shuffled do not end where their text ends",
                "please report this");
  }
  std::vector<uint8_t> heaps(ends.size());
  ScatteredRows result;
  uint64_t word = 0;
  for (size_t row = 0, begin = 0; row < ends.size(); begin = ends[row++]) {
    word = row % sizeof word == 0 ? random.word() : word >> 8;
    heaps[row] = static_cast<uint8_t>(word);
    result.begin[heaps[row] + size_t{1}] += kSizeBytes + ends[row] - begin;
  }
  for (size_t heap = 0; heap < kHeaps; ++heap) result.begin[heap + 1] += result.begin[heap];
  result.text.resize(result.begin[kHeaps]);
  std::array<char*, kHeaps> to;
  for (size_t heap = 0; heap < kHeaps; ++heap) to[heap] = result.text.data() + result.begin[heap];
  for (size_t row = 0, begin = 0; row < ends.size(); begin = ends[row++]) {
    const auto size = static_cast<uint32_t>(ends[row] - begin);
    char*& next = to[heaps[row]];
    std::memcpy(next, &size, kSizeBytes);
    std::memcpy(next + kSizeBytes, rows.data() + begin, size);
    next += kSizeBytes + size;
  }
  return result;
}

class ShuffledRows::Heap {
 public:
  Heap() = default;
  Heap(Heap&& other) noexcept : held_(std::move(other.held_)), file_(std::exchange(other.file_, -1)) {}
  ~Heap() {
    if (file_ >= 0) ::close(file_);
  }

  void add(std::string_view rows) { held_ += rows; }

  void put_away() {
    if (file_ < 0) file_ = open_nameless();
    write_all(file_, held_.data(), held_.size(), "the rows to be shuffled");
    held_.clear();
  }

  // Its rows in random order. Nothing is left.
  std::string shuffled() {
    const std::string text = take();
    std::vector<std::string_view> rows;
    for (size_t at = 0; at < text.size();) {
      uint32_t size;
      std::memcpy(&size, text.data() + at, kSizeBytes);
      rows.emplace_back(text.data() + at + kSizeBytes, size);
      at += kSizeBytes + size;
    }
    if (rows.size() > 1) {
      SecureRandom random;
      shuffle(random, rows);
    }
    std::string block;
    block.reserve(text.size());
    for (std::string_view row : rows) block += row;
    return block;
  }

 private:
  // All of it, and nothing is left.
  std::string take() {
    if (file_ < 0) return std::exchange(held_, {});
    put_away();
    const off_t size = ::lseek(file_, 0, SEEK_END);
    std::string text(static_cast<size_t>(size), '\0');
    for (size_t at = 0; at < text.size();) {
      const ssize_t got = ::pread(file_, text.data() + at, text.size() - at, static_cast<off_t>(at));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        throw Error(ErrorKind::kIo,
                    std::string("the rows to be shuffled: ") + std::strerror(got < 0 ? errno : EIO),
                    "run the command again");
      }
      at += static_cast<size_t>(got);
    }
    ::close(std::exchange(file_, -1));
    return text;
  }

  std::string held_;
  int file_ = -1;
};

ShuffledRows::ShuffledRows(size_t held) : heaps_(kHeaps), most_held_(held) {}
ShuffledRows::~ShuffledRows() = default;

void ShuffledRows::add(const ScatteredRows& rows) {
  const std::string_view text = rows.text;
  for (size_t heap = 0; heap < kHeaps; ++heap)
    heaps_[heap].add(text.substr(rows.begin[heap], rows.begin[heap + 1] - rows.begin[heap]));
  held_ += text.size();
  if (held_ <= most_held_) return;
  for (Heap& heap : heaps_) heap.put_away();
  held_ = 0;
}

void ShuffledRows::write(ByteSink& sink) {
  // TBB never frees what a stage holds that throws: errors go along to the end.
  struct Shuffled {
    std::string rows = {};
    std::exception_ptr error = {};
  };
  size_t next = 0;
  std::exception_ptr error;
  std::atomic<bool> ended = false;
  tbb::parallel_pipeline(
      2 * static_cast<size_t>(tbb::this_task_arena::max_concurrency()),
      tbb::make_filter<void, Heap*>(tbb::filter_mode::serial_in_order,
                                    [&](tbb::flow_control& flow) -> Heap* {
                                      if (next < heaps_.size() && !ended) return &heaps_[next++];
                                      flow.stop();
                                      return nullptr;
                                    }) &
          tbb::make_filter<Heap*, std::shared_ptr<Shuffled>>(tbb::filter_mode::parallel,
                                                             [](Heap* heap) {
                                                               auto result = std::make_shared<Shuffled>();
                                                               try {
                                                                 result->rows = heap->shuffled();
                                                               } catch (...) {
                                                                 result->error = std::current_exception();
                                                               }
                                                               return result;
                                                             }) &
          tbb::make_filter<std::shared_ptr<Shuffled>, void>(tbb::filter_mode::serial_in_order,
                                                            [&](const std::shared_ptr<Shuffled>& shuffled) {
                                                              if (error) return;
                                                              try {
                                                                if (shuffled->error)
                                                                  std::rethrow_exception(shuffled->error);
                                                                sink.write(shuffled->rows);
                                                              } catch (...) {
                                                                error = std::current_exception();
                                                                ended = true;
                                                              }
                                                            }));
  if (error) std::rethrow_exception(error);
}

}  // namespace fugu::inline in_release
