// Sparse features, normalisation, dropout and fusion against their definitions.
#include <cmath>
#include <random>
#include <vector>

#include "check.hpp"
#include "dropout.hpp"
#include "feature_product.hpp"
#include "group_sum.hpp"
#include "norm_relu.hpp"

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

double loss(const Numbers& x, const Numbers& gain, const Numbers& bias, Offset rows,
            const Numbers& grad, Numbers* y = nullptr) {
    const auto columns = static_cast<Offset>(gain.size());
    double total = 0;
    for (Offset c = 0; c < columns; ++c) {
        double mean = 0, variance = 0;
        for (Offset r = 0; r < rows; ++r) mean += x[r * columns + c] / rows;
        for (Offset r = 0; r < rows; ++r) variance += std::pow(x[r * columns + c] - mean, 2) / rows;
        for (Offset r = 0; r < rows; ++r) {
            const double place = (x[r * columns + c] - mean) / std::sqrt(variance + 1e-5);
            const double value = std::max(0.0, gain[c] * place + bias[c]);
            if (y != nullptr) (*y)[r * columns + c] = value;
            total += grad[r * columns + c] * value;
        }
    }
    return total;
}

void check_norm(std::mt19937& random, Offset columns) {
    const Offset rows = 130;  // more than two chunks of sums
    Numbers x = draw(random, rows * columns), gain = draw(random, columns);
    Numbers bias = draw(random, columns);
    const Numbers grad = draw(random, rows * columns);
    Numbers mean(gain.size()), variance(gain.size()), y(x.size()), expected(x.size());
    const NormRelu<double> layer{rows, columns, x.data(), gain.data(), bias.data(), 1e-5};
    norm_relu_forward(layer, mean.data(), variance.data(), y.data());
    loss(x, gain, bias, rows, grad, &expected);
    for (std::size_t i = 0; i < y.size(); ++i) CHECK(close(y[i], expected[i]));
    Numbers by_x(x.size()), by_gain(gain.size()), by_bias(gain.size());
    norm_relu_backward(layer, mean.data(), variance.data(), grad.data(), by_x.data(),
                       by_gain.data(), by_bias.data());
    // Derivatives by differences, at a few places: a kink of ReLU is unlikely to be within reach.
    const double step = 1e-6;
    for (auto [numbers, found] : {std::pair{&x, &by_x}, {&gain, &by_gain}, {&bias, &by_bias}})
        for (int turn = 0; turn < 5; ++turn) {
            const std::size_t at = random() % numbers->size();
            const double value = (*numbers)[at];
            (*numbers)[at] = value + step;
            const double above = loss(x, gain, bias, rows, grad);
            (*numbers)[at] = value - step;
            const double below = loss(x, gain, bias, rows, grad);
            (*numbers)[at] = value;
            CHECK(std::abs((*found)[at] - (above - below) / (2 * step)) < 1e-5);
        }
}

void check_dropout() {
    const std::vector<float> ones(100'001, 1.0f);
    std::vector<float> out(ones.size()), again(ones.size()), other(ones.size());
    const auto size = static_cast<std::int64_t>(ones.size());
    dropout(ones.data(), size, 0.3, 5, out.data());
    dropout(ones.data(), size, 0.3, 5, again.data());
    dropout(ones.data(), size, 0.3, 6, other.data());
    CHECK(out == again);
    double kept = 0, same = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        CHECK(out[i] == 0.0f || std::abs(out[i] - 1 / 0.7f) < 1e-6f);
        kept += out[i] != 0;
        same += (out[i] != 0) == (other[i] != 0);
    }
    const auto n = static_cast<double>(ones.size());
    CHECK(std::abs(kept / n - 0.7) < 0.008);
    CHECK(std::abs(same / n - (0.7 * 0.7 + 0.3 * 0.3)) < 0.008);
    dropout(ones.data(), size, 1.0, 5, out.data());
    for (const float x : out) CHECK(x == 0.0f);
    // A beginning of the numbers is treated as in the whole, however many follow.
    dropout(ones.data(), 37, 0.3, 5, other.data());
    for (int i = 0; i < 37; ++i) CHECK(other[i] == again[i]);
}

void check_group_sum(std::mt19937& random, Offset columns) {
    const Offset rows = 11;
    const int groups = 3;
    const Numbers h = draw(random, rows * groups * columns), weight = draw(random, groups);
    const Numbers grad = draw(random, rows * columns);
    Numbers out(grad.size()), by_h(h.size()), by_weight(weight.size()), expected(weight.size());
    const GroupSum<double> sum{rows, groups, columns, h.data(), weight.data()};
    group_sum(sum, out.data());
    group_sum_backward(sum, grad.data(), by_h.data(), by_weight.data());
    for (Offset v = 0; v < rows; ++v)
        for (Offset k = 0; k < columns; ++k) {
            double total = 0;
            for (int g = 0; g < groups; ++g) {
                const Offset at = (v * groups + g) * columns + k;
                total += weight[g] * h[at];
                expected[g] += grad[v * columns + k] * h[at];
                CHECK(close(by_h[at], weight[g] * grad[v * columns + k]));
            }
            CHECK(close(out[v * columns + k], total));
        }
    for (int g = 0; g < groups; ++g) CHECK(close(by_weight[g], expected[g]));
}

}  // namespace

int main() {
    std::mt19937 random(11);
    for (const Offset columns : {1, 7, 8, 31, 32, 45, 64}) {
        for (const int groups : {1, 3, 5}) check_features(random, columns, groups);
        check_norm(random, columns);
        check_group_sum(random, columns);
    }
    check_dropout();
}
