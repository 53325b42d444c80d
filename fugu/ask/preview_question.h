// What is asked of a preview, in texts.
#pragma once

#include <memory>
#include <string>

#include "fugu/database/database_table.h"
#include "fugu/preview/preview.h"

namespace fugu::inline in_ask {

// Empty text is a flag not given.
struct PreviewTexts {
  std::string plan = {};   // or a statement, for whoever reads it
  std::string table = {};  // whose first rows are shown
  std::string cross = {}, draws = {}, rows = {}, separator = {};
};

// `database` is the table where it is one. Error (usage), naming the flag.
PreviewOptions read_preview(const PreviewTexts& texts, std::shared_ptr<DatabaseTable> database = nullptr);

}  // namespace fugu::inline in_ask
