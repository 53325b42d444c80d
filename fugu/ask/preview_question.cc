#include "fugu/ask/preview_question.h"

#include <fmt/format.h>

#include "fugu/ask/flags.h"
#include "fugu/ask/lists.h"
#include "fugu/ask/question.h"
#include "fugu/core/error.h"

namespace fugu::inline in_ask {
namespace {

using enum FlagKind;

constexpr const char* kPreview = "Preview";

constexpr FlagOf<PreviewTexts> kPreviewFlags[] = {
    {Flag{"PLAN", kFile, "PLAN", "",
          "the plan's file; or a statement, whose preview holds nothing private; - is standard input"}
         .needed(),
     &PreviewTexts::plan},
    {Flag{"TABLE", kFile, "TABLE", "",
          "the table whose first rows are shown; without one, rows are drawn from the plan's counts"},
     &PreviewTexts::table},
    {Flag{"cross", kNames, "COL,COL", kPreview,
          "two columns to count against each other: released, known, or the secret"}
         .everyday(),
     &PreviewTexts::cross},
    {Flag{"draws", kNumber, "N", kPreview,
          "how many draws to simulate, 1 to 1000; default 20, more for small tables"}
         .everyday(),
     &PreviewTexts::draws},
    {Flag{"rows", kNumber, "N", kPreview, "how many rows to show before and after, 1 to 1000; default 10"}
         .everyday(),
     &PreviewTexts::rows},
    {Flag{"separator", kWord, "CHAR", kPreview, "between the table's fields; detected by default"},
     &PreviewTexts::separator},
    {Flag{"table", kWord, "NAME", kPreview, "in a database: the table or view, as SQL names it"},
     &PreviewTexts::database_table},
    {Flag{"query", kWord, "SQL", kPreview, "in a database: one SELECT, instead of --table"},
     &PreviewTexts::query}};

uint64_t count_up_to(const std::string& text, const char* option, const char* what, uint64_t most) {
  const uint64_t count = read_count(text, option, what);
  if (count > most)
    throw usage(fmt::format("{}: {} is more than {}", option, text, most),
                fmt::format("give a number from 1 to {}", most));
  return count;
}

}  // namespace

template <>
std::span<const FlagOf<PreviewTexts>> flags_of() {
  return kPreviewFlags;
}

PreviewOptions read_preview(const PreviewTexts& texts, std::shared_ptr<DatabaseTable> database) {
  PreviewOptions options;
  if (!texts.draws.empty()) options.draws = count_up_to(texts.draws, "--draws", "draws", kMostDraws);
  if (!texts.rows.empty()) options.sample = count_up_to(texts.rows, "--rows", "rows", kMostSampleRows);
  if (!texts.cross.empty()) {
    const auto names = split_list(texts.cross, "--cross");
    if (names.size() != 2) throw usage("--cross: this must be two columns", "for example --cross region,job");
    options.cross = {names[0], names[1]};
  }
  for (const auto& [name, text] :
       {std::pair("--separator", &texts.separator), std::pair("--table", &texts.database_table),
        std::pair("--query", &texts.query)}) {
    if (texts.table.empty() && !text->empty())
      throw usage(fmt::format("{}: there is no TABLE", name), "leave it out, or give the table");
  }
  if (texts.table.empty()) return options;
  options.table = ReleaseRequest{.input = texts.table,
                                 .separator = read_separator(texts.separator),
                                 .database = std::move(database),
                                 .rows_independent = true,
                                 .chunk_size = size_t{1} << 16};
  return options;
}

}  // namespace fugu::inline in_ask
