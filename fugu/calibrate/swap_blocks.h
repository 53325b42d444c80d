// Rows that trade places where there are too many kinds of rows for one linear programme: in blocks that are
// images of the whole table, each solved by itself (solve/blocks.h).
#pragma once

#include "fugu/solve/circulation.h"
#include "fugu/transport/row_exchange.h"

namespace fugu::inline in_calibrate {

// The most classes of one programme, by how many laws there are (priors times secrets): about ten seconds of
// two secrets, a minute of five. Beyond it the time grows with more than the square.
size_t most_classes_at_once(size_t laws);
// The most classes of a block: more where there are fewer in all, so that the blocks together take minutes at
// most. Larger blocks change fewer rows (five secrets, 300 classes: 34 % in blocks of 24, 30 % of 80, 28 % in
// one; a single pool 64 %).
size_t most_classes_of_block(size_t classes, size_t laws);

struct BlockExchange {
  // kSolved, kInfeasible: least_kept asks too much of a block; kStopped: the time was over, and some blocks
  // are pools (solve/pool.h).
  Circulation::Outcome outcome = Circulation::kSolved;
  RowExchange exchange = {};
  size_t blocks = 0;
};

// Exactly balanced, as exchange_rows has it; a row that is in several blocks trades places in each. With
// `by_columns` a class that becomes another costs what the columns of their rows differ by in the block, else
// what the problem says. A block has at most block_size classes, or what one must be able to have
// (least_block_size). Blocks are solved side by side; what comes out does not depend on that.
// Precondition: the rows have no shift of their own.
BlockExchange exchange_in_blocks(const CirculationProblem& problem, const ExchangedRows& rows,
                                 bool by_columns, size_t block_size, const Patience& patience);

}  // namespace fugu::inline in_calibrate
