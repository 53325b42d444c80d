// Work that may take long: done by a few threads, watched and cancelled by number.
//
// Lanes, so that linear programmes never keep a recalculation or a release waiting. Work of a page that a
// newer request of the same kind replaces is cancelled: its progress callback throws. Requests overtake each
// other on their way, so that each says its round: one that comes after a newer one is not begun. Work of a
// page that nobody looks at any more, because it was closed or killed, is cancelled, too.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "fugu/core/error.h"
#include "fugu/core/json.h"
#include "fugu/core/progress.h"

namespace fugu::studio {

enum class Lane { kQuick, kSlow, kRelease };
enum class JobState { kWaiting, kRunning, kDone, kFailed, kCancelled };

struct JobRequest {
  Lane lane = Lane::kQuick;
  std::string replaces = {};  // of jobs with the same text only the newest goes on; empty replaces none
  uint64_t round = 0;         // which of these is newer: the greater, or of equals the one that came later
  std::function<Json(const Progress&)> work;
};

struct JobView {
  std::string id;
  JobState state = JobState::kWaiting;
  double fraction = 0;
  std::string what = {};
  Json result = {};
  std::optional<Error> error = {};

  bool ended() const { return state >= JobState::kDone; }
};

class Jobs {
 public:
  // Work that could be replaced is cancelled when nobody has looked at it for so long.
  explicit Jobs(std::chrono::milliseconds forsaken = std::chrono::seconds(30));
  // Cancels everything and waits for it.
  ~Jobs();
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // The number of the new job, which is cancelled already when a newer one came before; absent when too many
  // wait.
  std::optional<std::string> start(JobRequest request);
  // How it stands, after it ended or `patience` is over. Absent when there is no such job (any more: the last
  // hundred are kept).
  std::optional<JobView> look(const std::string& id, std::chrono::milliseconds patience);
  // False when there is no such job.
  bool cancel(const std::string& id);
  // Cancels everything; new jobs are refused.
  void stop();
  // Whether no job runs, now or within the time. A linear programme looks up only now and then.
  bool idle_within(std::chrono::milliseconds time);

 private:
  struct Job;
  struct Queue {
    std::deque<std::shared_ptr<Job>> waiting;
    std::condition_variable ready;
    std::vector<std::thread> threads;
  };

  Queue& queue(Lane lane) { return queues_[static_cast<size_t>(lane)]; }
  void serve(Queue& queue);
  void run(Job& job);
  void cancel_locked(Job& job);
  void forget_old();

  const std::chrono::milliseconds forsaken_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<Queue, 3> queues_;
  size_t running_ = 0;
  std::map<std::string, std::shared_ptr<Job>> jobs_;
  std::deque<std::string> order_;                          // ids, oldest first
  std::map<std::string, std::weak_ptr<Job>> replaceable_;  // the newest job of each text
  uint64_t next_ = 1;
  bool stopping_ = false;
};

const char* state_word(JobState state);

}  // namespace fugu::studio
