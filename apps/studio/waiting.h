// The connections that wait for a request: the first to go when there are too many.
//
// A connection costs a thread, so that their number is bounded. One that says nothing must not keep out one
// that does: when all are taken, the one that has waited longest is ended, first among those that never asked
// anything. One that is being served is never ended.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

namespace fugu::studio {

class Waiting {
 public:
  // Among those that wait, as long as it lives.
  class Stay {
   public:
    Stay(Waiting& waiting, int socket, bool served);
    ~Stay();
    Stay(const Stay&) = delete;
    Stay& operator=(const Stay&) = delete;

   private:
    Waiting& waiting_;
    const int socket_;
  };

  // Ends one of them, whose thread then finds its connection closed. False when none waits.
  bool end_oldest();

 private:
  struct Entry {
    bool served;    // it has asked something before
    uint64_t turn;  // a smaller one has waited longer
  };

  std::mutex mutex_;
  std::map<int, Entry> entries_;  // by socket
  uint64_t next_ = 0;
};

}  // namespace fugu::studio
