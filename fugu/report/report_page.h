// One self-contained HTML file: the plots of a picture, the script that puts them in place, the style.
#pragma once

#include <string>
#include <string_view>

#include "fugu/core/json.h"

namespace fugu::inline in_report {

// What a page is built from (page/).
struct PageAssets {
  std::string_view script;
  std::string_view style;
};

// The page of plan_picture() or public_picture(). Its content policy lets this script and this style run and
// forbids everything else: no request leaves it.
// Precondition: neither asset holds its own closing tag.
std::string report_page(const Json& picture, const PageAssets& assets);

// JSON that may stand within a script element: nothing in it ends the element, or is a line end to a script.
std::string embedded_json(const Json& json);

}  // namespace fugu::inline in_report
