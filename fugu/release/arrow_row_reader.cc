#include "fugu/release/arrow_row_reader.h"

#include <string>

#include "fugu/arrow/arrow_type.h"
#include "fugu/core/error.h"

namespace fugu::inline in_release {

ArrowRowReader::ArrowRowReader(const ArrowTable& table, const RowLayout& layout, ChosenRows* chosen)
    : table_(table),
      layout_(layout),
      texts_(layout.terms.fields()),
      longer_(layout.terms.fields()),
      rows_(layout),
      chosen_(chosen),
      watched_(layout.watched) {
  for (size_t k = 0; k < layout.terms.fields(); ++k) readers_.push_back(reader_of(layout.wanted[k]));
  if (layout.weight) weights_.emplace(reader_of(layout.wanted[*layout.weight]));
  if (chosen) people_.emplace(reader_of(layout.wanted[*layout.person]));
  for (size_t w = 0; w < layout.watched.columns.size(); ++w) {
    try {
      watchers_.emplace_back(w, reader_of(layout.watched.columns[w]));
    } catch (const Error&) {
      // Nobody asked for what cannot be read.
    }
  }
}

ArrowReader ArrowRowReader::reader_of(size_t column) const {
  const TableHead& head = table_.head();
  const std::string place = head.column_place(column);
  return ArrowReader(arrow_type(table_.column(column), head.file + ": " + place), head.name(), place);
}

// The row at this place of texts_, which has not been seen.
uint32_t ArrowRowReader::look(size_t at, uint64_t row) {
  std::vector<Field> fields;
  for (size_t k = 0; k < readers_.size(); ++k) fields.push_back({readers_[k].text(texts_[k][at]), {}});
  return rows_.number(fields.data(), row);
}

void ArrowRowReader::read(size_t chunk, int64_t from, int64_t count, uint64_t row,
                          std::vector<uint32_t>& numbers) {
  const auto size = static_cast<size_t>(count);
  for (size_t k = 0; k < readers_.size(); ++k) {
    texts_[k].resize(size);
    readers_[k].forget_dictionary();
    readers_[k].read(table_.column(chunk, layout_.wanted[k]), table_.offset(chunk) + from, count, row,
                     texts_[k].data());
  }
  numbers.resize(size);
  for (size_t r = 0; r < size; ++r) {
    uint32_t stretch = texts_[0][r];
    for (size_t k = 1; k < readers_.size(); ++k) {
      stretch = longer_[k].get({uint64_t{stretch} << 32 | texts_[k][r]},
                               [&] { return static_cast<uint32_t>(longer_[k].size()); });
    }
    if (stretch >= known_.size()) known_.resize(stretch + 1, RowCache::kNone);
    uint32_t& known = known_[stretch];
    if (known == RowCache::kNone) known = look(r, row + r);
    numbers[r] = known;
  }
  if (chosen_) {
    take(chunk, from, row, numbers);
  } else {
    watch(chunk, from, count, row);
  }
  this->count(chunk, from, row, numbers);
}

void ArrowRowReader::count(size_t chunk, int64_t from, uint64_t row, const std::vector<uint32_t>& numbers) {
  if (!weights_) {
    for (uint32_t number : numbers) {
      if (number != kUndrawn) rows_.add(number);
    }
    return;
  }
  other_texts_.resize(numbers.size());
  weights_->forget_dictionary();
  weights_->read(table_.column(chunk, layout_.wanted[*layout_.weight]), table_.offset(chunk) + from,
                 static_cast<int64_t>(numbers.size()), row, other_texts_.data());
  for (size_t r = 0; r < numbers.size(); ++r)
    rows_.add_weighted(numbers[r], weights_->text(other_texts_[r]), row + r);
}

void ArrowRowReader::take(size_t chunk, int64_t from, uint64_t row, std::vector<uint32_t>& numbers) {
  ArrowReader& people = *people_;
  other_texts_.resize(numbers.size());
  people.forget_dictionary();
  people.read(table_.column(chunk, layout_.wanted[*layout_.person]), table_.offset(chunk) + from,
              static_cast<int64_t>(numbers.size()), row, other_texts_.data());
  for (size_t r = 0; r < numbers.size(); ++r) {
    const bool missing = rows_.placed(numbers[r]).kind == Placed::kMissing && !rows_.is_counted(numbers[r]);
    if (chosen_->take(people.text(other_texts_[r]), rows_.texts(numbers[r]))) {
      rows_.check_taken(numbers[r], row + r);
    } else if (!missing) {
      numbers[r] = kUndrawn;
    }
  }
}

void ArrowRowReader::watch(size_t chunk, int64_t from, int64_t count, uint64_t row) {
  other_texts_.resize(static_cast<size_t>(count));
  std::erase_if(watchers_, [&](auto& watcher) {
    auto& [w, reader] = watcher;
    reader.forget_dictionary();
    try {
      reader.read(table_.column(chunk, layout_.watched.columns[w]), table_.offset(chunk) + from, count, row,
                  other_texts_.data());
    } catch (const Error&) {
      return true;
    }
    for (uint32_t text : other_texts_) watched_.add(w, reader.text(text));
    return false;
  });
}

}  // namespace fugu::inline in_release
