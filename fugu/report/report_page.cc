#include "fugu/report/report_page.h"

#include <fmt/format.h>

#include "fugu/core/digest.h"
#include "fugu/report/plot.h"

namespace fugu::inline in_report {
namespace {

std::string text_of(const Json& picture, const char* key) {
  const Json* member = picture.find(key);
  const std::string* text = member ? member->if_string() : nullptr;
  return text ? *text : "";
}

std::string policy_of(const PageAssets& assets) {
  return fmt::format(
      "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
      sha256_of_content(assets.script), sha256_of_content(assets.style));
}

}  // namespace

std::string embedded_json(const Json& json) {
  const std::string text = json.canonical();
  std::string out;
  out.reserve(text.size());
  for (size_t k = 0; k < text.size(); ++k) {
    // Each of these stands in a string only, where the escape means the same.
    const std::string_view rest = std::string_view(text).substr(k);
    if (text[k] == '<') {
      out += "\\u003c";
    } else if (text[k] == '>') {
      out += "\\u003e";
    } else if (text[k] == '&') {
      out += "\\u0026";
    } else if (rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9")) {
      out += rest[2] == '\xA8' ? "\\u2028" : "\\u2029";
      k += 2;
    } else {
      out += text[k];
    }
  }
  return out;
}

std::string report_page(const Json& picture, const PageAssets& assets) {
  const std::string heading = text_of(picture, "heading");
  const std::string title = escaped(heading.empty() ? text_of(picture, "title") : heading);
  std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n", policy_of(assets));
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += "<meta name=\"referrer\" content=\"no-referrer\">\n";
  out += "<meta name=\"robots\" content=\"noindex\">\n";
  out += fmt::format("<title>{}: report</title>\n<style>", title);
  out += assets.style;
  out += fmt::format(
      "</style>\n"
      "</head>\n"
      "<body>\n"
      "<noscript><main><h1>{}</h1><p>{}</p><p>A script in this file draws the report's plots; allow it to "
      "see them.</p></main></noscript>\n",
      title, escaped(text_of(picture, "statement")));
  out += "<script type=\"application/json\" id=\"picture\">" + embedded_json(page_of_plan(picture)) +
         "</script>\n<script>";
  out += assets.script;
  out += "</script>\n</body>\n</html>\n";
  return out;
}

}  // namespace fugu::inline in_report
