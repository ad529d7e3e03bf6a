// Sums over single neighbours against their definitions, and their derivatives by differences.
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "check.hpp"
#include "entry_softmax.hpp"
#include "head_sum.hpp"
#include "relu_sum.hpp"
#include "tanh_scores.hpp"
#include "vector_exp.hpp"

using namespace grape;

namespace {

using Numbers = std::vector<double>;

struct Pattern {
    std::vector<Offset> ptr{0}, reverse;
    std::vector<Node> row, idx;
    Entries entries;

    explicit Pattern(std::mt19937& random) {
        const Node nodes = 9;  // the last has no entries
        std::vector<std::vector<bool>> joined(nodes, std::vector<bool>(nodes));
        for (Node v = 0; v + 1 < nodes; ++v)
            for (Node u = 0; u <= v; ++u) joined[v][u] = joined[u][v] = random() % 2 == 0;
        for (Node v = 0; v < nodes; ++v) {
            for (Node u = 0; u < nodes; ++u)
                if (joined[v][u]) row.push_back(v), idx.push_back(u);
            ptr.push_back(static_cast<Offset>(idx.size()));
        }
        for (std::size_t e = 0; e < idx.size(); ++e)
            for (std::size_t f = 0; f < idx.size(); ++f)
                if (row[f] == idx[e] && idx[f] == row[e]) reverse.push_back(static_cast<Offset>(f));
        entries = {nodes, ptr.data(), idx.data(), reverse.data()};
    }
    Offset nodes() const { return entries.num_rows; }
    Offset count() const { return entries.count(); }
};

Numbers draw(std::mt19937& random, Offset size) {
    std::normal_distribution<double> normal;
    Numbers numbers(static_cast<std::size_t>(size));
    for (double& x : numbers) x = normal(random);
    return numbers;
}

void check_close(const Numbers& found, const Numbers& expected) {
    CHECK(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(std::abs(found[i] - expected[i]) <= 1e-9 * (1 + std::abs(expected[i])));
}

// `found` is the derivative of the sum of grad times run() with respect to `numbers`.
void check_derivative(Numbers& numbers, const Numbers& found, const Numbers& grad,
                      const std::function<Numbers()>& run) {
    CHECK(numbers.size() == found.size());
    const double step = 1e-6;
    for (std::size_t i = 0; i < numbers.size(); i += 1 + numbers.size() / 7) {
        const double value = numbers[i];
        double slope = 0;
        for (const double sign : {1.0, -1.0}) {
            numbers[i] = value + sign * step;
            const Numbers out = run();
            for (std::size_t k = 0; k < out.size(); ++k)
                slope += sign * grad[k] * out[k] / (2 * step);
        }
        numbers[i] = value;
        CHECK(std::abs(found[i] - slope) < 1e-5 * (1 + std::abs(slope)));
    }
}

void check_head_sum(std::mt19937& random, const Pattern& at, int heads, Offset columns) {
    const Offset width = heads * columns;
    Numbers weight = draw(random, at.count() * heads), x = draw(random, at.nodes() * width);
    const Numbers grad = draw(random, at.nodes() * width);
    const HeadSum<double> sum{at.entries, heads, columns, weight.data()};
    const auto run = [&] {
        Numbers out(grad.size(), -1.0);
        head_sum(sum, x.data(), out.data());
        return out;
    };
    Numbers expected(grad.size());
    for (Offset e = 0; e < at.count(); ++e)
        for (Offset c = 0; c < width; ++c)
            expected[at.row[e] * width + c] +=
                weight[e * heads + c / columns] * x[at.idx[e] * width + c];
    check_close(run(), expected);
    Numbers by_weight(weight.size()), by_x(x.size());
    head_sum_backward(sum, x.data(), grad.data(), by_weight.data(), by_x.data());
    check_derivative(weight, by_weight, grad, run);
    check_derivative(x, by_x, grad, run);
}

void check_tanh_scores(std::mt19937& random, const Pattern& at, Offset columns) {
    Numbers receiver = draw(random, at.nodes() * columns);
    Numbers sender = draw(random, at.nodes() * columns), slope = draw(random, columns);
    const Numbers grad = draw(random, at.count());
    const TanhScores<double> scores{at.entries, columns, receiver.data(), sender.data(),
                                    slope.data()};
    const auto run = [&] {
        Numbers out(grad.size(), -1.0);
        tanh_scores(scores, out.data());
        return out;
    };
    Numbers expected(grad.size());
    for (Offset e = 0; e < at.count(); ++e)
        for (Offset c = 0; c < columns; ++c)
            expected[e] += slope[c] * std::tanh(receiver[at.row[e] * columns + c] +
                                                sender[at.idx[e] * columns + c]);
    check_close(run(), expected);
    Numbers by_receiver(receiver.size()), by_sender(sender.size()), by_slope(slope.size());
    tanh_scores_backward(scores, grad.data(), by_receiver.data(), by_sender.data(),
                         by_slope.data());
    check_derivative(receiver, by_receiver, grad, run);
    check_derivative(sender, by_sender, grad, run);
    check_derivative(slope, by_slope, grad, run);
}

void check_relu_sum(std::mt19937& random, const Pattern& at, Offset columns) {
    Numbers x = draw(random, at.nodes() * columns), map = draw(random, 3 * columns);
    const Numbers count = draw(random, 3 * at.count()), grad = draw(random, at.nodes() * columns);
    const ReluSum<double> sum{at.entries, columns, x.data(), count.data(), map.data()};
    const auto run = [&] {
        Numbers out(grad.size(), -1.0);
        relu_sum(sum, out.data());
        return out;
    };
    Numbers expected(grad.size());
    for (Offset e = 0; e < at.count(); ++e)
        for (Offset c = 0; c < columns; ++c) {
            double said = x[at.idx[e] * columns + c];
            for (Offset k = 0; k < 3; ++k) said += count[3 * e + k] * map[k * columns + c];
            expected[at.row[e] * columns + c] += std::max(0.0, said);
        }
    check_close(run(), expected);
    Numbers by_x(x.size()), by_map(map.size());
    relu_sum_backward(sum, grad.data(), by_x.data(), by_map.data());
    check_derivative(x, by_x, grad, run);
    check_derivative(map, by_map, grad, run);
}

void check_softmax(std::mt19937& random, const Pattern& at, Offset columns) {
    Numbers receiver = draw(random, at.nodes() * columns), sender = receiver;
    const Numbers grad = draw(random, at.count() * columns);
    const EntryShape shape{at.entries, columns};
    Numbers score(grad.size()), expected(grad.size());
    const auto pairs = [&] {
        pair_sum(shape, receiver.data(), sender.data(), score.data());
        return score;
    };
    for (Offset e = 0; e < at.count(); ++e)
        for (Offset c = 0; c < columns; ++c)
            expected[e * columns + c] =
                receiver[at.row[e] * columns + c] + sender[at.idx[e] * columns + c];
    check_close(pairs(), expected);
    Numbers by_receiver(receiver.size()), by_sender(sender.size()), by_score(score.size());
    pair_sum_backward(shape, grad.data(), by_receiver.data(), by_sender.data());
    check_derivative(receiver, by_receiver, grad, pairs);
    check_derivative(sender, by_sender, grad, pairs);
    const auto run = [&] {
        Numbers out(grad.size(), -1.0);
        entry_softmax(shape, score.data(), out.data());
        return out;
    };
    const Numbers out = run();
    Numbers total(receiver.size());
    for (Offset e = 0; e < at.count(); ++e)
        for (Offset c = 0; c < columns; ++c)
            total[at.row[e] * columns + c] += std::exp(score[e * columns + c]);
    for (Offset e = 0; e < at.count(); ++e)
        for (Offset c = 0; c < columns; ++c)
            expected[e * columns + c] =
                std::exp(score[e * columns + c]) / total[at.row[e] * columns + c];
    check_close(out, expected);
    entry_softmax_backward(shape, out.data(), grad.data(), by_score.data());
    check_derivative(score, by_score, grad, run);
}

void check_single_precision() {
    using L = Lanes<float, 1, 16>;
    for (float x = -120; x < 120; x += 0.0173f) {
        float t = x;
        take_tanh<L, float>(t);
        CHECK(std::abs(t - std::tanh(x)) < 3e-7f);
        float q = -std::abs(x);
        const float expected = std::exp(q);
        take_exp<L, float>(q);
        CHECK(std::abs(q - expected) < 1e-30f + 3e-7f * expected || expected < 1e-37f);
    }
}

}  // namespace

int main() {
    std::mt19937 random(7);
    const Pattern pattern(random);
    for (const Offset columns : {1, 4, 7, 8, 32, 45}) {
        for (const int heads : {1, 3, 4, 8}) check_head_sum(random, pattern, heads, columns);
        check_tanh_scores(random, pattern, columns);
        check_relu_sum(random, pattern, columns);
        check_softmax(random, pattern, columns);
    }
    check_single_precision();
}
