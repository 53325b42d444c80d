#include "fugu/release/arrow_row_reader.h"

#include <string>

#include "fugu/arrow/arrow_type.h"
#include "fugu/core/error.h"

namespace fugu::inline in_release {
namespace {

ArrowReader reader_of(const ArrowTable& table, size_t column) {
  const TableHead& head = table.head();
  const std::string place = head.column_place(column);
  return ArrowReader(arrow_type(table.column(column), head.file + ": " + place), head.name(), place);
}

}  // namespace

ArrowRowReader::ArrowRowReader(const ArrowTable& table, const RowLayout& layout, ChosenRows* chosen)
    : layout_(layout),
      texts_(layout.terms.fields()),
      longer_(layout.terms.fields()),
      rows_(layout),
      chosen_(chosen),
      watched_(layout.watched) {
  for (size_t k = 0; k < layout.terms.fields(); ++k) readers_.push_back(reader_of(table, layout.wanted[k]));
  if (layout.weight) weights_.emplace(reader_of(table, layout.wanted[*layout.weight]));
  if (chosen) people_.emplace(reader_of(table, layout.wanted[*layout.person]));
  for (size_t w = 0; w < layout.watched.columns.size(); ++w) {
    try {
      watchers_.emplace_back(w, reader_of(table, layout.watched.columns[w]));
    } catch (const Error&) {
      // Nobody asked for what cannot be read.
    }
  }
}

// The row at this place of texts_, which has not been seen.
uint32_t ArrowRowReader::look(size_t at, uint64_t row) {
  std::vector<Field> fields;
  for (size_t k = 0; k < readers_.size(); ++k) fields.push_back({readers_[k].text(texts_[k][at]), {}});
  return rows_.number(fields.data(), row);
}

void ArrowRowReader::read(ArrowReader& reader, size_t column, const Stretch& rows,
                          std::vector<uint32_t>& numbers) const {
  numbers.resize(static_cast<size_t>(rows.count));
  if (rows.chunk != chunk_) reader.forget_dictionary();
  reader.read(rows.table.column(rows.chunk, column), rows.from, rows.count, rows.row, numbers.data());
}

void ArrowRowReader::read(const ArrowTable& table, size_t chunk, int64_t from, int64_t count, uint64_t row,
                          std::vector<uint32_t>& numbers) {
  const Stretch stretch{table, chunk, table.offset(chunk) + from, count, row};
  for (size_t k = 0; k < readers_.size(); ++k) read(readers_[k], layout_.wanted[k], stretch, texts_[k]);
  numbers = texts_[0];
  for (size_t k = 1; k < readers_.size(); ++k)
    longer_[k].get_all(numbers.data(), texts_[k].data(), numbers.size());
  const size_t together = readers_.size() == 1 ? readers_[0].size() : longer_.back().size();
  if (known_.size() < together) known_.resize(together, RowCache::kNone);
  for (size_t r = 0; r < numbers.size(); ++r) {
    uint32_t& known = known_[numbers[r]];
    if (known == RowCache::kNone) [[unlikely]]
      known = look(r, row + r);
    numbers[r] = known;
  }
  if (chosen_) {
    take(stretch, numbers);
  } else {
    watch(stretch);
  }
  this->count(stretch, numbers);
  chunk_ = chunk;
}

void ArrowRowReader::count(const Stretch& stretch, const std::vector<uint32_t>& numbers) {
  if (!weights_) {
    for (uint32_t number : numbers) {
      if (number != kUndrawn) rows_.add(number);
    }
    return;
  }
  read(*weights_, layout_.wanted[*layout_.weight], stretch, other_texts_);
  for (size_t r = 0; r < numbers.size(); ++r)
    rows_.add_weighted(numbers[r], weights_->text(other_texts_[r]), stretch.row + r);
}

void ArrowRowReader::take(const Stretch& stretch, std::vector<uint32_t>& numbers) {
  ArrowReader& people = *people_;
  read(people, layout_.wanted[*layout_.person], stretch, other_texts_);
  for (size_t r = 0; r < numbers.size(); ++r) {
    const bool missing = rows_.placed(numbers[r]).kind == Placed::kMissing && !rows_.is_counted(numbers[r]);
    if (chosen_->take(people.text(other_texts_[r]), rows_.texts(numbers[r]))) {
      rows_.check_taken(numbers[r], stretch.row + r);
    } else if (!missing) {
      numbers[r] = kUndrawn;
    }
  }
}

void ArrowRowReader::watch(const Stretch& stretch) {
  std::erase_if(watchers_, [&](auto& watcher) {
    auto& [w, reader] = watcher;
    try {
      read(reader, layout_.watched.columns[w], stretch, other_texts_);
    } catch (const Error&) {
      return true;
    }
    for (uint32_t text : other_texts_) watched_.add(w, reader.text(text));
    return false;
  });
}

}  // namespace fugu::inline in_release
