#include "apps/studio/http_server.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "apps/studio/asking.h"
#include "apps/studio/peer.h"
#include "fugu/core/error.h"

namespace fugu::studio {
namespace {

// Set while a connection is handed over for which there is no room.
thread_local bool no_room = false;

std::string busy_answer() {
  Json json = Json::object();
  json.add("error", error_to_json(Error(ErrorKind::kIo, "there are too many connections",
                                        "close other pages of the studio, or wait a moment")));
  const std::string body = json.pretty();
  return fmt::format(
      "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
      "Connection: close\r\n\r\n{}",
      body.size(), body);
}

// A thread for each connection, up to a number; for more, `make_room` ends one that waits, whose thread the
// new one then gets. Where it cannot the task runs at once, in the thread that accepts, with `no_room` set.
class BoundedPool : public httplib::TaskQueue {
 public:
  BoundedPool(size_t most, std::function<bool()> make_room) : most_(most), make_room_(std::move(make_room)) {}

  void enqueue(std::function<void()> task) override {
    {
      std::unique_lock lock(mutex_);
      bool room = has_room();
      // On a busy machine no thread may have begun with the connections before it: none of them waits yet.
      for (int turn = 0; turn < 500 && !room && !tasks_.empty(); ++turn) {
        lock.unlock();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        lock.lock();
        room = has_room();
      }
      if (room) {
        tasks_.push_back(std::move(task));
        if (threads_.size() < std::min(most_, busy_ + tasks_.size()))
          threads_.emplace_back([this] { work(); });
        ready_.notify_one();
        return;
      }
    }
    no_room = true;
    task();
    no_room = false;
  }

  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    ready_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  // Where some are being ended already, a new one waits for the threads with those before it.
  bool has_room() {
    return busy_ + tasks_.size() < most_ || make_room_() || (!tasks_.empty() && tasks_.size() < most_);
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      ready_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      ++busy_;
      lock.unlock();
      task();
      lock.lock();
      --busy_;
    }
  }

  const size_t most_;
  const std::function<bool()> make_room_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  size_t busy_ = 0;
  bool ending_ = false;
};

void prepare(httplib::Request& request) {
  request.headers.erase("Accept-Encoding");  // nothing to gain on one machine
}

}  // namespace

HttpServer::HttpServer(const Limits& limits, std::string upload_path)
    : limits_(limits), upload_path_(std::move(upload_path)) {
  new_task_queue = [this] {
    return new BoundedPool(limits_.connections, [this] { return waiting_.end_oldest(); });
  };
}

void HttpServer::widen_queue() { ::listen(svr_sock_, static_cast<int>(limits_.connections)); }

void HttpServer::quit() {
  quitting_ = true;
  if (is_running())
    stop();
  else  // stop() does nothing before listening began, which then would never end
    ::shutdown(svr_sock_, SHUT_RDWR);
}

// While it is found out whose it is, and told, it keeps nobody out.
bool HttpServer::refuse_another_user(GuardedStream& stream) {
  const Waiting::Stay stay(waiting_, stream.socket(), false);
  if (!is_another_users(stream.socket())) return false;
  stream.refuse(403, "Forbidden");
  return true;
}

bool HttpServer::process_and_close_socket(int socket) {
  GuardedStream stream(socket, limits_, upload_path_, [this] { return quitting_.load(); });
  bool served = false;
  if (no_room) {
    static const std::string busy = busy_answer();
    (void)!::send(socket, busy.data(), busy.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  } else if (refuse_another_user(stream)) {
    served = false;
  } else {
    bool closed = false;
    const auto asked = [&] {
      const Waiting::Stay stay(waiting_, socket, served);
      return stream.next_head();
    };
    while (!closed && asked()) {
      served = process_request(stream, false, closed, prepare);
      if (!served) break;
      if (!stream.body_done()) {
        stream.linger();
        break;
      }
    }
  }
  ::shutdown(socket, SHUT_RDWR);
  ::close(socket);
  return served;
}

}  // namespace fugu::studio
