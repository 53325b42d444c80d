// How values are written.
#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/json.h"

namespace fugu::inline in_core {
namespace {

void write_string(std::string& out, const std::string& text) {
  out += '"';
  for (char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

bool is_scalar(const Json& value) { return !value.if_array() && !value.if_object(); }

}  // namespace

void Json::write(std::string& out, int indent, bool canonical, std::string_view without) const {
  auto line = [&](int depth) {
    if (!canonical) out.append(1, '\n').append(static_cast<size_t>(depth) * 2, ' ');
  };
  if (is_null()) {
    out += "null";
  } else if (const bool* flag = if_boolean()) {
    out += *flag ? "true" : "false";
  } else if (const Number* literal = if_number()) {
    out += literal->literal;
  } else if (const std::string* text = if_string()) {
    write_string(out, *text);
  } else if (const Array* items = if_array()) {
    bool flat = canonical || std::all_of(items->begin(), items->end(), is_scalar);
    out += '[';
    for (size_t k = 0; k < items->size(); ++k) {
      if (k > 0) out += flat && !canonical ? ", " : ",";
      if (!flat) line(indent + 1);
      (*items)[k].write(out, indent + 1, canonical);
    }
    if (!flat && !items->empty()) line(indent);
    out += ']';
  } else {
    std::vector<const Member*> members;
    for (const Member& member : *if_object()) {
      if (without.empty() || member.first != without) members.push_back(&member);
    }
    if (canonical) {
      std::sort(members.begin(), members.end(),
                [](const Member* a, const Member* b) { return a->first < b->first; });
    }
    out += '{';
    for (size_t k = 0; k < members.size(); ++k) {
      if (k > 0) out += ',';
      line(indent + 1);
      write_string(out, members[k]->first);
      out += canonical ? ":" : ": ";
      members[k]->second.write(out, indent + 1, canonical);
    }
    if (!members.empty()) line(indent);
    out += '}';
  }
}

std::string Json::pretty() const {
  std::string out;
  write(out, 0, false);
  out += '\n';
  return out;
}

std::string Json::canonical(std::string_view without) const {
  std::string out;
  write(out, 0, true, without);
  return out;
}

}  // namespace fugu::inline in_core
