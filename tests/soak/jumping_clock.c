/* Preloaded, it moves the time of day by up to ten years at every look, as if somebody set the clock meanwhile. The clock
   that measures (CLOCK_MONOTONIC) stays, as it does then. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

static int look(clockid_t which, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  const int status = real(which, now);
  if (status != 0 || (which != CLOCK_REALTIME && which != CLOCK_REALTIME_COARSE)) return status;
  const unsigned long mixed = ((unsigned long)now->tv_nsec + 1) * 6364136223846793005UL;
  now->tv_sec += (long)(mixed >> 33) % 630000000 - 315000000;
  return status;
}

int clock_gettime(clockid_t which, struct timespec *now) { return look(which, now); }

time_t time(time_t *to) {
  struct timespec now;
  look(CLOCK_REALTIME, &now);
  if (to) *to = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(struct timeval *to, void *zone) {
  struct timespec now;
  (void)zone;
  look(CLOCK_REALTIME, &now);
  to->tv_sec = now.tv_sec;
  to->tv_usec = now.tv_nsec / 1000;
  return 0;
}
