// Triangle counts against the definition.
#include "matching/triangles.hpp"

#include <random>
#include <vector>

#include "tests/check.hpp"

using namespace grape;

namespace {

struct Matrix {
    int n;
    std::vector<char> cell;
    explicit Matrix(int size) : n(size), cell(static_cast<std::size_t>(size * size), 0) {}
    char& at(int u, int v) { return cell[static_cast<std::size_t>(u * n + v)]; }
};

std::int64_t by_definition(Matrix& a) {
    std::int64_t count = 0;
    for (int u = 0; u < a.n; ++u)
        for (int v = u + 1; v < a.n; ++v)
            for (int w = v + 1; w < a.n; ++w) count += a.at(u, v) && a.at(v, w) && a.at(u, w);
    return count;
}

std::int64_t by_rows(Matrix& a) {
    std::vector<Offset> ptr{0};
    std::vector<Node> idx;
    for (int u = 0; u < a.n; ++u) {
        for (int v = 0; v < a.n; ++v)
            if (a.at(u, v)) idx.push_back(v);
        ptr.push_back(static_cast<Offset>(idx.size()));
    }
    GraphView view;
    view.num_nodes = a.n;
    view.out_ptr = view.in_ptr = ptr.data();
    view.out_idx = view.in_idx = idx.data();
    return count_triangles(view, nullptr);
}

}  // namespace

int main() {
    std::mt19937 random(3);
    for (int turn = 0; turn < 300; ++turn) {
        Matrix a(static_cast<int>(random() % 25));
        const unsigned share = random() % 11;
        for (int u = 0; u < a.n; ++u)
            for (int v = u + 1; v < a.n; ++v) a.at(u, v) = a.at(v, u) = random() % 10 < share;
        CHECK(by_rows(a) == by_definition(a));
    }
}
