#include "io/edge_list.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>

namespace grape {

namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 24;
constexpr std::int64_t kMostNames = std::numeric_limits<std::int32_t>::max();

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trim(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

// Only the shortest spelling counts as an integer: 007 and 7 may be different nodes.
std::optional<std::int64_t> as_integer(std::string_view text) {
    const std::string_view digits = text.substr(!text.empty() && text.front() == '-');
    if (digits.empty() || (digits.front() == '0' && text.size() > 1)) return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    for (std::size_t k = 0; k < text.size();) {
        const unsigned lead = byte(k);
        if (lead < 0x80) {
            ++k;
            continue;
        }
        const std::size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (length == 0 || lead > 0xF4 || k + length > text.size()) return false;
        const unsigned second = byte(k + 1);
        if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
            (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) {
            return false;
        }
        for (std::size_t j = 1; j < length; ++j) {
            if ((byte(k + j) & 0xC0) != 0x80) return false;
        }
        k += length;
    }
    return true;
}

}  // namespace

void EdgeListParser::fail(const std::string& reason) const { throw std::invalid_argument(reason); }

void EdgeListParser::feed(std::string_view chunk) {
    for (std::size_t lines = 0; !chunk.empty(); ++lines) {
        if (text_names_ && lines % (NameTable::kWarmAtOnce / 2) == 0) warm_names(chunk);
        const void* newline = std::memchr(chunk.data(), '\n', chunk.size());
        if (newline == nullptr) {
            rest_.append(chunk);
            if (rest_.size() > kLongestLine) {
                ++line_;
                fail("the line is longer than 16 MB; is this a text file?");
            }
            return;
        }
        const auto length =
            static_cast<std::size_t>(static_cast<const char*>(newline) - chunk.data());
        if (rest_.empty()) {
            parse_line(chunk.substr(0, length));
        } else {
            rest_.append(chunk.substr(0, length));
            parse_line(rest_);
            rest_.clear();
        }
        chunk.remove_prefix(length + 1);
    }
}

void EdgeListParser::finish() {
    if (!rest_.empty()) parse_line(rest_);
    rest_.clear();
    if (!text_names_ && negative_line_ > 0) {
        line_ = negative_line_;
        fail("node id " + std::to_string(negative_) +
             " is negative; ids must be 0 or more, or texts");
    }
}

// Looks ahead at simply written lines; what it misreads costs a little time and nothing else.
void EdgeListParser::warm_names(std::string_view lines) const {
    std::array<std::string_view, NameTable::kWarmAtOnce> ahead;
    std::size_t count = 0;
    while (count < ahead.size() && !lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        const std::size_t middle =
            std::min(line.find(options_.separator ? options_.separator : ' '), line.size());
        const std::string_view rest = line.substr(std::min(middle + 1, line.size()));
        ahead[count++] = line.substr(0, middle);
        ahead[count++] = rest.substr(0, rest.ends_with('\r') ? rest.size() - 1 : rest.size());
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    }
    names_.warm({ahead.data(), count});
}

void EdgeListParser::parse_line(std::string_view line) {
    ++line_;
    if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (columns_ == 2 && options_.source == 0 && !text_names_ && parse_integer_pair(line)) return;

    const std::string_view content = trim(line);
    if (content.empty() || content.front() == '#' || content.front() == '%') return;
    // Blanks around the line mean nothing, unless a tab there closes an empty field.
    split(options_.separator == '\t' ? line : content, fields_);
    add_line(fields_);
}

// The fast path: two integers of at most 18 digits and nothing else. Anything unusual is left to
// the general reader, which also words the errors.
bool EdgeListParser::parse_integer_pair(std::string_view line) {
    const char* p = line.data();
    const char* const end = p + line.size();
    std::int64_t value[2] = {0, 0};
    for (int k = 0; k < 2; ++k) {
        const char* const begin = p;
        while (p < end && static_cast<unsigned char>(*p - '0') < 10) {
            value[k] = 10 * value[k] + (*p++ - '0');
            if (p - begin > 18) return false;
        }
        if (p == begin || (*begin == '0' && p - begin > 1)) return false;
        if (k == 0) {
            if (p == end || !is_separator(*p)) return false;
            ++p;
        }
    }
    if (p != end) return false;
    src_.push_back(value[0]);
    dst_.push_back(value[1]);
    return true;
}

// Where a column goes: 0 and 1 are the ends of the edge, 2 its weight, 3 its type, -1 nowhere.
int EdgeListParser::slot(int column) const {
    if (column == options_.source) return 0;
    if (column == options_.target) return 1;
    if (column == options_.weight) return 2;
    return column == options_.kind ? 3 : -1;
}

void EdgeListParser::split(std::string_view line, Fields& out) const {
    const char separator = options_.separator;
    out.count = 0;
    std::size_t at = 0;
    while (true) {
        while (at < line.size() && is_blank(line[at]) && line[at] != separator) ++at;
        if (separator == 0 && at == line.size()) break;
        const int k = slot(out.count++);
        std::string ignored;
        if (at < line.size() && line[at] == '"') {
            std::string& text = k >= 0 ? out.unquoted[k] : ignored;
            at = read_quoted(line, at + 1, text);
            const bool closed = at == line.size() || is_blank(line[at]) || is_separator(line[at]);
            while (at < line.size() && is_blank(line[at]) && line[at] != separator) ++at;
            if (!closed || (separator != 0 && at < line.size() && line[at] != separator)) {
                fail("there is text after a closing quote");
            }
            if (k >= 0) out.name[k] = text;
        } else {
            const std::size_t begin = at;
            while (at < line.size() && !is_separator(line[at])) ++at;
            if (k >= 0) out.name[k] = trim(line.substr(begin, at - begin));
        }
        if (separator == 0) continue;
        if (at == line.size()) break;
        ++at;  // the separator: one more field follows, perhaps an empty one
    }
}

std::size_t EdgeListParser::read_quoted(std::string_view line, std::size_t at,
                                        std::string& out) const {
    out.clear();
    for (; at < line.size(); ++at) {
        if (line[at] != '"') {
            out.push_back(line[at]);
        } else if (at + 1 < line.size() && line[at + 1] == '"') {
            out.push_back(line[at++]);
        } else {
            return at + 1;
        }
    }
    fail("a quoted name is not closed on its line");
}

void EdgeListParser::add_line(const Fields& fields) {
    if (columns_ == 0) {
        if (fields.count < needed_) {
            fail("expected two node names separated by a tab, comma, semicolon or blank, found " +
                 std::to_string(fields.count));
        }
        columns_ = fields.count;
        if (options_.header) return;
    }
    if (fields.count != columns_) {
        fail("found " + std::to_string(fields.count) + " columns where the first line has " +
             std::to_string(columns_));
    }
    if (options_.weight >= 0 && !has_weight(fields)) {
        ++zero_weights_;
        return;
    }
    add_edge(fields.name[0], fields.name[1]);
    if (options_.kind >= 0) add_kind(fields.name[3]);
}

bool EdgeListParser::has_weight(const Fields& fields) const {
    std::string text(fields.name[2]);
    char* end = nullptr;
    if (options_.separator == ';') std::ranges::replace(text, ',', '.');  // a decimal comma
    const double weight = std::strtod(text.c_str(), &end);
    if (text.empty() || end != text.c_str() + text.size()) {
        fail("the weight '" + text + "' is not a number");
    }
    return weight != 0;
}

void EdgeListParser::add_edge(std::string_view from, std::string_view to) {
    const std::string_view ends[2] = {from, to};
    std::int64_t ids[2];
    for (int k = 0; k < 2; ++k) {
        if (ends[k].empty()) fail("a node name is empty");
        if (!text_names_) {
            if (const auto value = as_integer(ends[k])) {
                ids[k] = *value;
                if (*value < 0 && negative_line_ == 0) {
                    negative_line_ = line_;
                    negative_ = *value;
                }
                continue;
            }
            switch_to_text();
            // The first end of this very edge was read as an integer: number it as a text.
            if (k == 1) ids[0] = names_.intern(ends[0]).first;
        }
        const auto [id, is_new] = names_.intern(ends[k]);
        if (is_new && !is_utf8(ends[k]))
            fail("a node name is not UTF-8; convert the file to UTF-8");
        if (id >= kMostNames) fail("more than 2147483647 distinct node names");
        ids[k] = id;
    }
    src_.push_back(ids[0]);
    dst_.push_back(ids[1]);
}

void EdgeListParser::add_kind(std::string_view kind) {
    const auto [id, is_new] = kind_names_.intern(kind);
    if (is_new && !is_utf8(kind))
        fail("the type of an edge is not UTF-8; convert the file to UTF-8");
    if (id >= kMostNames) fail("more than 2147483647 distinct types of edges");
    kinds_.push_back(id);
}

void EdgeListParser::switch_to_text() {
    text_names_ = true;
    for (std::size_t k = 0; k < src_.size(); ++k) {
        src_[k] = names_.intern(std::to_string(src_[k])).first;
        dst_[k] = names_.intern(std::to_string(dst_[k])).first;
    }
}

}  // namespace grape
