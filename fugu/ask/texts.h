// Arguments of a language as the core reads them: texts, by the names of the command line's flags.
#pragma once

#include <map>
#include <string>

#include "fugu/ask/flags.h"

namespace fugu::inline in_ask {

using Texts = std::map<std::string, std::string>;

// What `texts` hold of these flags; the rest is left. Switches are given when their text is not empty.
template <class Options>
Options options_of(const Texts& texts) {
  Options options;
  for (const FlagOf<Options>& row : flags_of<Options>()) {
    if (const auto found = texts.find(row.flag.name); found != texts.end())
      set_text(options, row, found->second);
  }
  return options;
}

}  // namespace fugu::inline in_ask
