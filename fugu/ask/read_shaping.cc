#include "fugu/ask/read_shaping.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/ask/lists.h"
#include "fugu/core/error.h"
#include "fugu/core/utf8.h"
#include "fugu/csv/record_parser.h"
#include "fugu/file/text_file.h"
#include "fugu/rows/joined_label.h"

namespace fugu::inline in_ask {
namespace {

// A flag by columns.
struct Flagged {
  const char* option;
  const std::string& text;
  bool lists = false;  // its values hold commas: columns are parted by semicolons alone
};

// Whether the text goes on with one of the columns and an equals sign; then which.
std::optional<size_t> named_column(std::string_view text, const std::vector<std::string>& published) {
  for (size_t c = 0; c < published.size(); ++c) {
    if (text.starts_with(published[c] + "=")) return c;
  }
  return std::nullopt;
}

// Where the next column's part begins: behind a separator that one of them follows; the end where none does.
size_t next_part(std::string_view text, bool lists, const std::vector<std::string>& published) {
  bool quoted = false;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') quoted = !quoted;
    if (quoted || (text[at] != ';' && (lists || text[at] != ','))) continue;
    const size_t first = text.find_first_not_of(' ', at + 1);
    if (first != std::string_view::npos && named_column(text.substr(first), published)) return at;
  }
  return text.size();
}

class Reader {
 public:
  Reader(const std::vector<std::string>& published, ReadShaping& result)
      : published_(published), result_(result) {
    result_.own.resize(published.size());
  }

  // `set` takes a shaping and the text that is for it.
  template <class Set>
  void read(const Flagged& flag, const Set& set) {
    const std::string_view rest = flag.text;
    if (rest.empty()) return;
    if (!named_column(rest, published_)) {
      const size_t sign = rest.find('=');
      if (!flag.lists && sign != std::string_view::npos) {
        throw usage(fmt::format("{}: '{}' is not a released column", flag.option, rest.substr(0, sign)),
                    fmt::format("write {} VALUE, or COL=VALUE with a column of --public", flag.option));
      }
      set(published_.size() > 1 ? result_.common : result_.own.front(), flag.text);
      return;
    }
    std::vector<std::string> said;
    for (const auto& [name, text] : split_by_column(rest, flag.lists, published_)) {
      if (std::find(said.begin(), said.end(), name) != said.end())
        throw usage(fmt::format("{}: column '{}' is named twice", flag.option, name), "name each once");
      said.push_back(name);
      const auto column = std::find(published_.begin(), published_.end(), name) - published_.begin();
      set(result_.own[static_cast<size_t>(column)], text);
    }
  }

 private:
  const std::vector<std::string>& published_;
  ReadShaping& result_;
};

Bound read_bound(const std::string& text, const char* option, const char* hint) {
  if (const auto bound = parse_bound(text)) return *bound;
  throw usage(fmt::format("{}: '{}' is not a number", option, text), hint);
}

std::pair<Bound, Bound> read_clip(const std::string& text) {
  constexpr const char* kHint =
      "give two numbers, for example --clip 20:70, or two dates, for example --clip 1950-01-01:2009-12-31";
  const size_t colon = text.find(':');
  if (colon == std::string::npos) throw usage(fmt::format("--clip: '{}' is not a range LO:HI", text), kHint);
  return {read_bound(text.substr(0, colon), "--clip", kHint),
          read_bound(text.substr(colon + 1), "--clip", kHint)};
}

Rational read_width(const std::string& text, const char* option, const char* hint) {
  const auto number = parse_number(text);
  if (!number) throw usage(fmt::format("{}: '{}' is not a number", option, text), hint);
  return *number;
}

Rational read_step_of(const std::string& text) {
  const auto step = parse_number(text);
  if (!step || *step <= 0)
    throw usage(fmt::format("--step: '{}' is not a number greater than 0", text), "for example --step 0.01");
  return *step;
}

// One for each of several columns, by their places; an empty one does not snap.
bool read_steps_by_place(const std::string& text, const std::vector<std::string>& published,
                         ReadShaping& result) {
  const auto items = split_list(text, "--step");
  if (items.size() < 2 || named_column(text, published)) return false;
  if (items.size() != published.size()) {
    throw usage(fmt::format("--step: there are {} steps for {} columns", items.size(), published.size()),
                "give one for all columns, or one for each");
  }
  for (size_t c = 0; c < items.size(); ++c) {
    if (!items[c].empty()) result.own[c].step = read_step_of(items[c]);
  }
  return true;
}

DateUnit read_unit(const std::string& text) {
  if (const auto unit = date_unit_named(text)) return *unit;
  throw usage(fmt::format("--date-unit: '{}' is unknown", text), "use one of day, week, month, year");
}

// Two columns, from and to, under a line that names them.
TextMap read_map(const std::string& path) {
  std::string bytes = read_text(path);
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.erase(0, 3);
  auto wrong = [&](uint64_t line, const std::string& what, const char* hint) {
    return Error(ErrorKind::kData, fmt::format("--map: {}: line {}: {}", path, line, what), hint);
  };
  if (!is_utf8(bytes)) throw wrong(1, "the text is not UTF-8", "save the file as UTF-8");
  RecordParser parser({.separator = detect_separator(bytes, true)});
  parser.start(bytes, 1, true);
  TextMap map;
  bool head = true;
  try {
    for (Record record; parser.next(record); head = false) {
      if (record.fields.size() != 2)
        throw wrong(record.line, "there are not two columns", "a map has the columns from and to");
      const std::string from(record.fields[0].text), to(record.fields[1].text);
      if (head) {
        if (from != "from" || to != "to")
          throw wrong(record.line, "the first line is not from,to", "a map begins with the line from,to");
        continue;
      }
      if (from.empty() || to.empty())
        throw wrong(record.line, "a text is empty", "use --na and --missing for missing values");
      if (to == kMissingLabel || to == kRareLabel)
        throw wrong(record.line, "fugu uses this text as a label", "choose another name");
      if (const auto [at, fresh] = map.texts.emplace(from, to); !fresh && at->second != to)
        throw wrong(record.line, "this text is mapped to another one above", "map each text once");
    }
  } catch (const Error& error) {
    throw error.message().starts_with("--map") ? error : error.at("--map: " + path);
  }
  if (map.texts.empty()) throw wrong(1, "the map lists nothing", "write lines from,to below the first");
  return map;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> split_by_column(std::string_view rest, bool lists,
                                                                 const std::vector<std::string>& published) {
  std::vector<std::pair<std::string, std::string>> parts;
  if (!named_column(rest, published)) return parts;
  while (!rest.empty()) {
    const std::string& name = published[named_column(rest, published).value()];
    rest.remove_prefix(name.size() + 1);
    const size_t end = next_part(rest, lists, published);
    parts.emplace_back(name, rest.substr(0, end));
    rest.remove_prefix(std::min(rest.size(), end + 1));
    rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(' ')));
  }
  return parts;
}

ReadShaping read_shaping(const QuestionOptions& options, const std::vector<std::string>& published) {
  ReadShaping result;
  Reader reader(published, result);
  reader.read({"--order", options.order, true}, [](Shaping& column, const std::string& text) {
    const bool file = text.starts_with('@');
    column.order = split_list(file ? list_of_file(text.substr(1), "--order") : text, "--order");
  });
  if (!result.common.order.empty())
    throw usage("--order: there are several columns", "name the column: --order 'COL=a,b,c'");
  reader.read({"--map", options.map},
              [](Shaping& column, const std::string& text) { column.map = read_map(text); });
  reader.read({"--map-rest", options.map_rest, true},
              [](Shaping& column, const std::string& text) { column.map.rest = text; });
  if (!result.common.map.empty())
    throw usage("--map: there are several columns", "name the column: --map COL=FILE");
  if (std::any_of(result.own.begin(), result.own.end(),
                  [](const Shaping& column) { return column.map.rest && column.map.texts.empty(); }))
    throw usage("--map-rest: the column has no map", "give one with --map COL=FILE");
  if (!read_steps_by_place(options.step, published, result)) {
    reader.read({"--step", options.step},
                [](Shaping& column, const std::string& text) { column.step = read_step_of(text); });
  }
  reader.read({"--clip", options.clip},
              [](Shaping& column, const std::string& text) { column.clip = read_clip(text); });
  reader.read({"--bin", options.bin}, [](Shaping& column, const std::string& text) {
    column.bin = read_width(text, "--bin", "give a width, for example --bin 5");
  });
  reader.read({"--bin-edges", options.bin_edges, true}, [](Shaping& column, const std::string& text) {
    for (const std::string& edge : split_list(text, "--bin-edges"))
      column.edges.push_back(read_bound(edge, "--bin-edges", "for example --bin-edges 18,30,65"));
  });
  reader.read({"--merge-rare", options.merge_rare}, [](Shaping& column, const std::string& text) {
    column.merge_rare = read_count(text, "--merge-rare", "rows");
  });
  reader.read({"--date-unit", options.date_unit},
              [](Shaping& column, const std::string& text) { column.unit = read_unit(text); });
  return result;
}

}  // namespace fugu::inline in_ask
