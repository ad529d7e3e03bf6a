// Products with sparse features against their definition.
#include "nn/feature_product.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "tests/check.hpp"

using namespace grape;

namespace {

using Numbers = std::vector<double>;

Numbers draw(std::mt19937& random, Offset size) {
    std::normal_distribution<double> normal;
    Numbers numbers(static_cast<std::size_t>(size));
    for (double& x : numbers) x = normal(random);
    return numbers;
}

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); }

void check_features(std::mt19937& random, Offset columns, int groups) {
    const Node rows = 9, wide = 6;  // every third row is empty
    std::vector<Offset> ptr{0};
    std::vector<Node> idx;
    for (Node r = 0; r < rows; ++r) {
        for (Node c = 0; r % 3 != 0 && c < wide; ++c)
            if (random() % 2 == 0) idx.push_back(c);
        ptr.push_back(static_cast<Offset>(idx.size()));
    }
    const Numbers val = draw(random, static_cast<Offset>(idx.size()));
    const Numbers weight = draw(random, groups * wide * columns);
    Numbers out(static_cast<std::size_t>(rows * groups * columns), -1.0);
    const SparseRows<double> x{rows, ptr.data(), idx.data(), val.data()};
    feature_product<double>(x, groups, columns, {weight.data(), columns, wide * columns},
                            {out.data(), groups * columns, columns}, 2);
    for (Node r = 0; r < rows; ++r)
        for (int g = 0; g < groups; ++g)
            for (Offset k = 0; k < columns; ++k) {
                double sum = 0;
                for (Offset e = ptr[r]; e < ptr[r + 1]; ++e)
                    sum += val[e] * weight[(g * wide + idx[e]) * columns + k];
                CHECK(close(out[(r * groups + g) * columns + k], sum));
            }
}

}  // namespace

int main() {
    std::mt19937 random(11);
    for (const Offset columns : {1, 7, 8, 31, 32, 45, 64})
        for (const int groups : {1, 3, 5}) check_features(random, columns, groups);
}
