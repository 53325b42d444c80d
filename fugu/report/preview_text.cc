#include "fugu/report/preview_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fugu/report/leakage_text.h"
#include "fugu/show/text_table.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

constexpr size_t kLongestLabel = 24;
constexpr size_t kLabelsShown = 15;  // of a column
constexpr size_t kBar = 30;
constexpr size_t kMatrixColumns = 8;
constexpr size_t kPairsShown = 20;  // of a matrix that is too wide

// On one line, no longer than that.
std::string cut(const std::string& text, size_t longest) {
  std::string shown = printable(text);
  if (text_width(shown) <= longest) return shown;
  std::string result;
  for (size_t k = 0; k < shown.size() && text_width(result) + 1 < longest;) {
    size_t end = k + 1;
    while (end < shown.size() && (static_cast<unsigned char>(shown[end]) & 0xC0) == 0x80) ++end;
    result += shown.substr(k, end - k);
    k = end;
  }
  return result + "…";
}

std::string shown_share(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string heading(const std::string& text) { return "\n" + wrapped(text, kTextWidth, 0) + "\n"; }

// "39 → 41", or the value that stays.
std::string cell_text(const std::string& before, const std::string& after, size_t longest) {
  if (before == after) return cut(before, longest + 2);
  return fmt::format("{} → {}", cut(before, longest), cut(after, longest));
}

// As many columns side by side as there is room for, then the others below them, with the same rows.
std::string sample_text(const PreviewSample& sample) {
  const size_t rows = sample.before.size(), longest = sample.columns.size() > 2 ? 14 : kLongestLabel;
  std::string text;
  for (size_t next = 0; next < sample.columns.size();) {
    std::vector<TextColumn> columns{{"secret", Align::kLeft}};
    std::vector<std::vector<std::string>> cells(rows);
    size_t width = 8;
    for (size_t row = 0; row < rows; ++row) {
      cells[row].push_back(cut(sample.secrets[row], 16));
      width = std::max(width, text_width(cells[row][0]) + 2);
    }
    for (const size_t first = next; next < sample.columns.size(); ++next) {
      std::vector<std::string> texts{cut(sample.columns[next], kLongestLabel)};
      for (size_t row = 0; row < rows; ++row)
        texts.push_back(cell_text(sample.before[row][next], sample.after[row][next], longest));
      size_t widest = 0;
      for (const std::string& one : texts) widest = std::max(widest, text_width(one) + 2);
      if (next > first && width + widest > kTextWidth) break;
      width += widest;
      columns.push_back({texts[0], Align::kLeft});
      for (size_t row = 0; row < rows; ++row) cells[row].push_back(texts[row + 1]);
    }
    TextTable table(std::move(columns));
    for (auto& row : cells) table.add(std::move(row));
    text += table.text();
  }
  return text;
}

// After as a bar, before as the mark in it or beside it.
std::string bar(double before, double after, double most) {
  const auto place = [&](double share) {
    return static_cast<size_t>(std::lround(share / most * static_cast<double>(kBar)));
  };
  std::string text(place(after), '#');
  const size_t mark = place(before);
  if (text.size() <= mark) text.resize(mark + 1, ' ');
  text[mark] = '|';
  return text;
}

struct Line {
  std::string label;
  double before = 0, after = 0;
  std::optional<double> deviation = {};
};

// The most frequent labels, in their order; the others together.
std::vector<Line> lines_of(const PreviewColumn& column) {
  std::vector<size_t> order(column.labels.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::vector<Line> lines;
  const bool all = column.number || order.size() <= kLabelsShown + 1;
  if (!all) {
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return column.before[a] > column.before[b]; });
    std::sort(order.begin(), order.begin() + kLabelsShown);
  }
  Line others;
  for (size_t k = 0; k < order.size(); ++k) {
    const size_t label = order[k];
    if (all || k < kLabelsShown) {
      lines.push_back({cut(column.labels[label], kLongestLabel), column.before[label], column.after[label],
                       column.deviation[label]});
    } else {
      others.before += column.before[label];
      others.after += column.after[label];
    }
  }
  if (!all) {
    others.label = fmt::format("({} others)", order.size() - kLabelsShown);
    lines.push_back(others);
  }
  return lines;
}

std::string numbers_words(const PreviewColumn& column) {
  const PreviewColumn::Numbers& numbers = *column.numbers;
  const std::string means =
      column.date ? fmt::format("{} → {}", numbers.mean_before_text, numbers.mean_after_text)
                  : fmt::format("{} → {}", compact(numbers.mean_before, 4), compact(numbers.mean_after, 4));
  return fmt::format("mean {} (a release: ±{}), spread {} → {}", means, compact(numbers.mean_deviation, 2),
                     compact(numbers.spread_before, 3), compact(numbers.spread_after, 3));
}

std::string column_text(const PreviewColumn& column) {
  std::string text =
      heading(fmt::format("{}: {}", printable(column.name),
                          column.known ? "known, written unchanged"
                                       : fmt::format("{} of its values stay{}", shown_share(column.unchanged),
                                                     column.numbers ? "; " + numbers_words(column) : "")));
  const std::vector<Line> lines = lines_of(column);
  double most = 0;
  for (const Line& line : lines) most = std::max({most, line.before, line.after});
  if (most == 0) most = 1;
  TextTable table({{"value", Align::kLeft},
                   {"before", Align::kRight},
                   {"after", Align::kRight},
                   {"±", Align::kRight},
                   {"after #, before |", Align::kLeft}});
  for (const Line& line : lines) {
    table.add({line.label, shown_share(line.before), shown_share(line.after),
               line.deviation ? fmt::format("{:.1f}", 100 * *line.deviation) : "",
               bar(line.before, line.after, most)});
  }
  text += table.text();
  if (!column.vanished.empty()) {
    std::vector<std::string> names;
    for (const std::string& name : column.vanished) names.push_back(cut(name, kLongestLabel));
    text += "  " + wrapped(fmt::format("vanished: {}", fmt::join(names, ", ")), kTextWidth - 2, 4) + "\n";
  }
  return text;
}

// ".31", "-.05", "1".
std::string short_number(const std::optional<double>& number) {
  if (!number) return "-";
  std::string text = fmt::format("{:.2f}", *number);
  if (text == "-0.00") text = "0.00";
  if (text.starts_with("0.")) return text.substr(1);
  if (text.starts_with("-0.")) return "-" + text.substr(2);
  return text;
}

std::string change(const std::optional<double>& before, const std::optional<double>& after) {
  return short_number(before) + "→" + short_number(after);
}

std::string pairs_text(const Preview& preview) {
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t a = 0; a < preview.names.size(); ++a) {
    for (size_t b = a + 1; b < preview.names.size(); ++b) pairs.emplace_back(a, b);
  }
  auto size = [&](const auto& pair) { return std::abs(preview.before[pair.first][pair.second].value_or(0)); };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const auto& one, const auto& other) { return size(one) > size(other); });
  TextTable table({{"columns", Align::kLeft},
                   {"", Align::kLeft},
                   {"", Align::kLeft},
                   {"before", Align::kRight},
                   {"after", Align::kRight}});
  for (size_t k = 0; k < std::min(kPairsShown, pairs.size()); ++k) {
    const auto [a, b] = pairs[k];
    table.add({cut(preview.names[a], kLongestLabel), cut(preview.names[b], kLongestLabel),
               std::string(name_of(preview.measures[a][b])), short_number(preview.before[a][b]),
               short_number(preview.after[a][b])});
  }
  std::string text = table.text();
  if (pairs.size() > kPairsShown)
    text += fmt::format("  the strongest of {} pairs; all: --format json\n", pairs.size());
  return text;
}

std::string matrix_text(const Preview& preview) {
  const size_t size = preview.names.size();
  if (size > kMatrixColumns + 1) return pairs_text(preview);
  std::vector<TextColumn> columns{{"", Align::kLeft}};
  for (size_t b = 0; b + 1 < size; ++b) columns.push_back({cut(preview.names[b], 9), Align::kRight});
  TextTable table(std::move(columns));
  for (size_t a = 1; a < size; ++a) {
    std::vector<std::string> line{cut(preview.names[a], 14)};
    for (size_t b = 0; b + 1 < size; ++b)
      line.push_back(b < a ? change(preview.before[a][b], preview.after[a][b]) : "");
    table.add(std::move(line));
  }
  return table.text();
}

std::string cross_table_text(const PreviewCross& cross) {
  auto share = [](double number) { return fmt::format("{:.1f}", 100 * number); };
  std::string text = heading(fmt::format("{} by {}, % of all rows, before → after",
                                         printable(cross.row_column), printable(cross.column_column)));
  std::vector<TextColumn> columns{{"", Align::kLeft}};
  size_t width = 2 + kLongestLabel, shown = 0;
  for (; shown < cross.column_labels.size(); ++shown) {
    const std::string name = cut(cross.column_labels[shown], 14);
    width += 2 + std::max<size_t>(text_width(name), 9);
    if (width > kTextWidth) break;
    columns.push_back({name, Align::kRight});
  }
  TextTable table(std::move(columns));
  for (size_t a = 0; a < cross.row_labels.size(); ++a) {
    std::vector<std::string> line{cut(cross.row_labels[a], kLongestLabel)};
    for (size_t b = 0; b < shown; ++b)
      line.push_back(share(cross.before[a][b]) + "→" + share(cross.after[a][b]));
    table.add(std::move(line));
  }
  text += table.text();
  if (shown < cross.column_labels.size())
    text += fmt::format("  and {} more columns: --format json\n", cross.column_labels.size() - shown);
  return text;
}

}  // namespace

std::string preview_text(const Scenario& scenario, const Preview& preview) {
  std::string text = "What a release by this plan would look like. Private, like the plan.\n";
  for (const std::string& note : preview.notes) text += "  " + wrapped(note, kTextWidth - 2, 2) + "\n";
  text += heading(fmt::format("{} of the rows are released unchanged. {}, before → after one simulated draw:",
                              shown_share(preview.unchanged),
                              preview.sample.of_table ? "The table's first rows"
                              : preview.rows          ? "Rows like the table's, drawn from the plan's counts"
                                                      : "Rows drawn from the plan's frequencies"));
  text += sample_text(preview.sample) + (preview.sample.secret_released
                                             ? "  the secret is one of the released columns\n"
                                             : "  the secret is never released\n");
  for (const PreviewColumn& column : preview.columns) text += column_text(column);
  text += heading(
      "How columns go together, before→after (V: categories, r: numbers, eta: one of each; 0 is none)");
  text += matrix_text(preview);
  if (preview.cross) text += cross_table_text(*preview.cross);
  text += heading("How often the secret is guessed");
  text += "  " + wrapped(leakage_words(scenario, preview.leakage), kTextWidth - 2, 2) + "\n";
  return text;
}

std::string preview_text(const StatementPreview& preview) {
  std::string text = "What the statement alone says. Nothing here is private.\n\n";
  text += wrapped(preview.promise, kTextWidth, 0) + "\n\n";
  if (preview.unchanged)
    text += fmt::format("At least {} of the rows are expected to be unchanged.\n",
                        shown_share(*preview.unchanged));
  TextTable table({{"column", Align::kLeft},
                   {"stays, at least", Align::kRight},
                   {"noise (rms)", Align::kRight},
                   {"10 % of 1,000 rows is estimated as", Align::kRight},
                   {"mean of 1,000 rows", Align::kRight}});
  for (const StatedColumn& column : preview.columns) {
    table.add({cut(column.name.empty() ? "value" : column.name, kLongestLabel),
               column.unchanged ? shown_share(*column.unchanged) : "-",
               column.noise ? compact(*column.noise, 3) : "-",
               column.share
                   ? fmt::format("{} to {}", shown_share(column.share->low), shown_share(column.share->high))
                   : "-",
               column.mean_off ? "±" + compact(*column.mean_off, 3) : "-"});
  }
  text += table.text();
  text += "  bounds are 95 % sure\n";
  for (const std::string& name : preview.known)
    text += fmt::format("  {}: known, written unchanged\n", printable(name));
  text += "\n";
  for (const std::string& note : preview.notes) text += wrapped(note, kTextWidth, 2) + "\n";
  return text;
}

}  // namespace fugu::inline in_report
