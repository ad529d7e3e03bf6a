// A streaming reader of edge lists: bytes go in by chunks, pairs of node ids come out.
//
// As long as every name is an integer the pairs are those integers. From the first other name
// on, names are texts, numbered in order of first appearance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/intern.hpp"

namespace grape {

// How the lines are laid out; whoever opened the file has looked at its beginning.
struct EdgeListOptions {
    bool header = false;         // whether the first line names the columns
    char separator = 0;          // 0: runs of blanks
    int source = 0, target = 1;  // columns of the two ends, from 0
    int weight = -1;             // column of weights, -1: none; edges of weight 0 are left out
    int kind = -1;               // column of the types of edges, -1: none
    bool texts = false;          // whether integers are texts too, from the first one on
};

class EdgeListParser {
  public:
    explicit EdgeListParser(EdgeListOptions options)
        : options_(options),
          needed_(std::max({options.source, options.target, options.weight, options.kind}) + 1),
          text_names_(options.texts) {}

    // Throw std::invalid_argument for a malformed line; line() then tells which.
    void feed(std::string_view chunk);
    void finish();

    std::int64_t line() const { return line_; }
    bool text_names() const { return text_names_; }
    std::int64_t zero_weights() const { return zero_weights_; }
    int columns() const { return columns_; }
    std::vector<std::int64_t>& src() { return src_; }
    std::vector<std::int64_t>& dst() { return dst_; }
    const NameTable& names() const { return names_; }

    // The type of every edge, by its number among the names of types.
    std::vector<std::int64_t>& kinds() { return kinds_; }
    const NameTable& kind_names() const { return kind_names_; }

    // Forgets the names so far: those of the edges to come are numbered from 0 again.
    NameTable take_names() { return std::exchange(names_, {}); }

  private:
    // The two ends, the weight and the type of a line; quoted ones are kept in `unquoted`.
    struct Fields {
        std::string_view name[4];
        int count = 0;
        std::string unquoted[4];
    };

    void warm_names(std::string_view lines) const;
    void parse_line(std::string_view line);
    bool parse_integer_pair(std::string_view line);
    void split(std::string_view line, Fields& out) const;
    std::size_t read_quoted(std::string_view line, std::size_t at, std::string& out) const;
    int slot(int column) const;
    bool is_separator(char c) const {
        return options_.separator ? c == options_.separator : c == ' ' || c == '\t';
    }
    void add_line(const Fields& fields);
    bool has_weight(const Fields& fields) const;
    void add_edge(std::string_view from, std::string_view to);
    void add_kind(std::string_view kind);
    void switch_to_text();
    [[noreturn]] void fail(const std::string& reason) const;

    EdgeListOptions options_;
    int needed_;        // columns a line must have
    std::string rest_;  // an unfinished line of the previous chunk
    std::int64_t line_ = 0;
    int columns_ = 0;  // 0: no line seen yet
    std::int64_t zero_weights_ = 0;
    std::int64_t negative_line_ = 0;
    std::int64_t negative_ = 0;
    bool text_names_ = false;
    std::vector<std::int64_t> src_;
    std::vector<std::int64_t> dst_;
    NameTable names_;
    std::vector<std::int64_t> kinds_;
    NameTable kind_names_;
    Fields fields_;
};

}  // namespace grape
