#include "apps/studio/jobs.h"

#include <algorithm>
#include <atomic>

#include "fugu/core/unexpected.h"

namespace fugu::studio {
namespace {

constexpr size_t kMostWaiting = 64;  // in each lane
constexpr size_t kMostJobs = 200;

struct Cancelled {};

size_t threads_of(Lane lane) {
  const size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return lane == Lane::kQuick ? std::max<size_t>(2, cores) : lane == Lane::kSlow ? 3 : 2;
}

}  // namespace

struct Jobs::Job {
  JobView view;
  JobRequest request;
  std::atomic<bool> cancelled = false;
  std::chrono::steady_clock::time_point looked = std::chrono::steady_clock::now();
};

Jobs::Jobs(std::chrono::milliseconds forsaken) : forsaken_(forsaken) {
  for (const Lane lane : {Lane::kQuick, Lane::kSlow, Lane::kRelease}) {
    Queue& mine = queue(lane);
    for (size_t k = 0; k < threads_of(lane); ++k) mine.threads.emplace_back([this, &mine] { serve(mine); });
  }
}

Jobs::~Jobs() {
  stop();
  for (Queue& each : queues_)
    for (std::thread& thread : each.threads) thread.join();
}

void Jobs::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  for (const auto& [id, job] : jobs_) cancel_locked(*job);
  for (Queue& each : queues_) each.ready.notify_all();
}

bool Jobs::idle_within(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, time, [this] { return running_ == 0; });
}

std::optional<std::string> Jobs::start(JobRequest request) {
  const std::lock_guard lock(mutex_);
  Queue& lane = queue(request.lane);
  bool is_late = false;
  if (!request.replaces.empty()) {
    if (const auto other = replaceable_[request.replaces].lock()) {
      is_late = other->request.round > request.round;
      if (!is_late) cancel_locked(*other);
    }
  }
  std::erase_if(lane.waiting, [](const auto& job) { return job->view.ended(); });
  if (stopping_ || lane.waiting.size() >= kMostWaiting) return std::nullopt;
  auto job = std::make_shared<Job>();
  job->view.id = std::to_string(next_++);
  job->request = std::move(request);
  jobs_[job->view.id] = job;
  order_.push_back(job->view.id);
  forget_old();
  if (is_late) {
    cancel_locked(*job);
    return job->view.id;
  }
  if (!job->request.replaces.empty()) replaceable_[job->request.replaces] = job;
  lane.waiting.push_back(job);
  lane.ready.notify_one();
  return job->view.id;
}

std::optional<JobView> Jobs::look(const std::string& id, std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return std::nullopt;
  const std::shared_ptr<Job> job = found->second;
  job->looked = std::chrono::steady_clock::now() + patience;
  changed_.wait_for(lock, patience, [&] { return job->view.ended(); });
  return job->view;
}

bool Jobs::cancel(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return false;
  cancel_locked(*found->second);
  return true;
}

void Jobs::cancel_locked(Job& job) {
  job.cancelled = true;
  if (job.view.state != JobState::kWaiting) return;
  job.view.state = JobState::kCancelled;
  job.request.work = {};
  changed_.notify_all();
}

// The oldest that have ended; a job that works or waits is never forgotten.
void Jobs::forget_old() {
  for (auto id = order_.begin(); order_.size() > kMostJobs && id != order_.end();) {
    if (!jobs_[*id]->view.ended()) {
      ++id;
      continue;
    }
    jobs_.erase(*id);
    id = order_.erase(id);
  }
  std::erase_if(replaceable_, [](const auto& entry) { return entry.second.expired(); });
}

void Jobs::serve(Queue& queue) {
  std::unique_lock lock(mutex_);
  while (true) {
    queue.ready.wait(lock, [&] { return stopping_ || !queue.waiting.empty(); });
    if (queue.waiting.empty()) return;
    const std::shared_ptr<Job> job = std::move(queue.waiting.front());
    queue.waiting.pop_front();
    if (job->view.ended()) continue;
    job->view.state = JobState::kRunning;
    ++running_;
    lock.unlock();
    run(*job);
    lock.lock();
    --running_;
    job->request.work = {};
    changed_.notify_all();
  }
}

void Jobs::run(Job& job) {
  const Progress progress = [this, &job](double fraction, std::string_view what) {
    const std::lock_guard lock(mutex_);
    const bool forsaken = std::chrono::steady_clock::now() - job.looked > forsaken_;
    if (job.cancelled || (forsaken && !job.request.replaces.empty())) throw Cancelled();
    job.view.fraction = std::clamp(fraction, 0.0, 1.0);
    job.view.what = what;
  };
  Json result;
  std::optional<Error> error;
  JobState state = JobState::kDone;
  try {
    result = job.request.work(progress);
  } catch (const Cancelled&) {
    state = JobState::kCancelled;
  } catch (const Error& caught) {
    error = caught;
  } catch (const std::exception& caught) {
    error = unexpected(caught);
  }
  if (error) state = JobState::kFailed;
  const std::lock_guard lock(mutex_);
  job.view.result = std::move(result);
  job.view.error = std::move(error);
  job.view.state = state;
}

const char* state_word(JobState state) {
  switch (state) {
    case JobState::kWaiting:
      return "waiting";
    case JobState::kRunning:
      return "running";
    case JobState::kDone:
      return "done";
    case JobState::kFailed:
      return "failed";
    case JobState::kCancelled:
      break;
  }
  return "cancelled";
}

}  // namespace fugu::studio
