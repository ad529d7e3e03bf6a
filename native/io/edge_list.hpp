// A streaming reader of edge lists: bytes go in by chunks, pairs of node ids come out.
//
// As long as every name is an integer the pairs are those integers. From the first other name
// on, names are texts, numbered in order of first appearance.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/intern.hpp"

namespace grape {

struct EdgeListOptions {
    std::optional<bool> header;  // none: recognise it
    std::optional<char>
        separator;  // none: take tab, comma, semicolon or blanks from the first line
};

class EdgeListParser {
  public:
    explicit EdgeListParser(EdgeListOptions options) : options_(options) {}

    // Throw std::invalid_argument for a malformed line; line() then tells which.
    void feed(std::string_view chunk);
    void finish();

    std::int64_t line() const { return line_; }
    bool text_names() const { return text_names_; }
    bool header_found() const { return header_found_; }
    int columns() const { return columns_; }
    std::vector<std::int64_t>& src() { return src_; }
    std::vector<std::int64_t>& dst() { return dst_; }
    const NameTable& names() const { return names_; }

  private:
    // The first two fields of a line; quoted ones are stored unquoted in `unquoted`.
    struct Fields {
        std::string_view name[2];
        int count = 0;
        std::string unquoted[2];
    };

    void warm_names(std::string_view lines) const;
    void parse_line(std::string_view line);
    bool parse_integer_pair(std::string_view line);
    void split(std::string_view line, Fields& out) const;
    std::size_t read_quoted(std::string_view line, std::size_t at, std::string& out) const;
    bool is_separator(char c) const { return separator_ ? c == separator_ : c == ' ' || c == '\t'; }
    void add_line(const Fields& fields);
    bool first_line_is_header(const Fields& second) const;
    void settle_first_line(bool is_header);
    void add_edge(std::string_view from, std::string_view to);
    void switch_to_text();
    [[noreturn]] void fail(const std::string& reason) const;

    EdgeListOptions options_;
    std::string rest_;  // an unfinished line of the previous chunk
    std::int64_t line_ = 0;
    char separator_ = 0;                                        // 0: runs of blanks
    int columns_ = 0;                                           // 0: no line seen yet
    std::optional<std::pair<std::string, std::string>> first_;  // held back: perhaps a header
    std::int64_t first_line_ = 0;
    std::int64_t negative_line_ = 0;
    std::int64_t negative_ = 0;
    bool text_names_ = false;
    bool header_found_ = false;
    std::vector<std::int64_t> src_;
    std::vector<std::int64_t> dst_;
    NameTable names_;
    Fields fields_;
};

}  // namespace grape
