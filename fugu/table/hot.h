// What runs for each record must be inside the loop over them, whatever the compiler thinks of its size.
//
//   FUGU_HOT void add(…) { … }
//   auto visit = [&](…) FUGU_HOT_LAMBDA { … };
#pragma once

#define FUGU_HOT __attribute__((always_inline)) inline
#define FUGU_HOT_LAMBDA __attribute__((always_inline))
