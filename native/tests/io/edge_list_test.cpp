// The edge-list reader: however the bytes are cut into chunks, and whatever the bytes are.
#include "io/edge_list.hpp"

#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/check.hpp"

using namespace grape;

namespace {

struct Outcome {
    std::vector<std::int64_t> src, dst;
    std::vector<std::string> names;
    std::string error;
    std::int64_t line = 0;
    bool operator==(const Outcome&) const = default;
};

// Reads `text` in chunks of at most `longest` bytes.
Outcome read(const std::string& text, std::size_t longest, std::mt19937& random,
             const EdgeListOptions& options) {
    EdgeListParser parser(options);
    Outcome out;
    try {
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t size = 1 + random() % longest;
            parser.feed(std::string_view(text).substr(at, size));
            at += size;
        }
        parser.finish();
    } catch (const std::invalid_argument& problem) {
        out.error = problem.what();
        out.line = parser.line();
        return out;
    }
    out.src = parser.src();
    out.dst = parser.dst();
    for (std::int64_t id = 0; id < parser.names().size(); ++id) {
        out.names.emplace_back(parser.names()[id]);
    }
    return out;
}

// Some lines of an edge list, now and then with a wrong letter in them.
std::string edge_list_with_slips(std::mt19937& random, const std::string& separator) {
    static const std::vector<std::string> kNames = {"0",       "7",          "12",      "12", "abc",
                                                    "\"x y\"", "-3",         "12",      "7",  "0",
                                                    "007",     "\"q\"\"q\"", "\xC3\xA9"};
    static const std::string kSlips = "0a,;\t \"#%-\r\n\xFF";
    const std::size_t variety = random() % 2 ? kNames.size() : 4;  // 4: integers only
    std::string text;
    for (std::size_t line = random() % 8; line > 0; --line) {
        text += kNames[random() % variety] + separator + kNames[random() % variety];
        if (random() % 30 == 0) text += kSlips[random() % kSlips.size()];
        text += random() % 2 ? "\n" : "\r\n";
    }
    return text;
}

void chunks_never_matter() {
    static const std::vector<std::string> kSeparators = {",", "\t", " ", " ; "};
    std::mt19937 random(1);
    int readable = 0;
    for (int turn = 0; turn < 20000; ++turn) {
        const std::string& between = kSeparators[random() % kSeparators.size()];
        const std::string text = edge_list_with_slips(random, between);
        const char separator = between == " " ? '\0' : between == " ; " ? ';' : between[0];
        const EdgeListOptions options{.header = random() % 4 == 0, .separator = separator};
        const Outcome whole = read(text, 1000, random, options);
        CHECK(read(text, 3, random, options) == whole);
        CHECK(whole.src.size() == whole.dst.size());
        readable += whole.error.empty() && !whole.src.empty();
    }
    CHECK(readable > 5000 && readable < 19000);
}

void integers_stay_integers() {
    std::mt19937 random(2);
    const Outcome got = read("# c\n5 9223372036854775807\r\n0 5", 2, random, {});
    CHECK((got.src == std::vector<std::int64_t>{5, 0}));
    CHECK((got.dst == std::vector<std::int64_t>{9223372036854775807, 5}));
    CHECK(got.names.empty());
}

void columns_and_weights_are_where_they_are_said_to_be() {
    std::mt19937 random(3);
    const EdgeListOptions options{
        .header = true, .separator = ',', .source = 3, .target = 1, .weight = 2};
    const Outcome got =
        read("id,to,w,from\n0,7,0.5,8\n1,9,0.0,8\n2,7,-1e3,\"9\"\n", 4, random, options);
    CHECK((got.src == std::vector<std::int64_t>{8, 9}));
    CHECK((got.dst == std::vector<std::int64_t>{7, 7}));
    for (const char* wrong : {"a,b,c,d\n0,1,x,2\n", "a,b,c,d\n0,1,,2\n", "a,b,c,d\n0,1,1e,2\n"}) {
        const Outcome refused = read(wrong, 9, random, options);
        CHECK(refused.error.ends_with("is not a number"));
        CHECK(refused.line == 2);
    }
}

void types_of_edges_are_numbered_as_they_appear() {
    EdgeListParser parser({.header = true, .separator = ',', .weight = 2, .kind = 3});
    parser.feed("a,b,w,kind\n0,1,1,\"x, y\"\n1,2,0,lost\n2,3,1,\n3,0,1,\"x, y\"\n");
    parser.finish();
    CHECK((parser.kinds() == std::vector<std::int64_t>{0, 1, 0}));
    CHECK(parser.kind_names().size() == 2);
    CHECK(parser.kind_names()[0] == "x, y");
    CHECK(parser.kind_names()[1].empty());
    EdgeListParser wrong({.separator = ',', .kind = 2});
    bool refused = false;
    try {
        wrong.feed("0,1,\xFF\n");
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}

void many_names_keep_their_numbers() {
    NameTable table;
    for (int round = 0; round < 2; ++round) {
        for (int k = 0; k < 50000; ++k) {
            const auto [id, is_new] = table.intern("name" + std::to_string(k));
            CHECK(id == k);
            CHECK(is_new == (round == 0));
        }
    }
    CHECK(table.size() == 50000);
    CHECK(table[49999] == "name49999");
    CHECK(table.intern("").second);
    CHECK(table[50000].empty());
}

}  // namespace

int main() {
    chunks_never_matter();
    integers_stay_integers();
    columns_and_weights_are_where_they_are_said_to_be();
    types_of_edges_are_numbered_as_they_appear();
    many_names_keep_their_numbers();
}
