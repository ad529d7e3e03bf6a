#include "base/bit_sets.hpp"

namespace grape {
namespace {

// The two loops everything rests on. They are compiled once per instruction set below, so that
// one portable binary still counts bits with the best instruction of the machine it runs on.
template <bool kNegate>
[[gnu::always_inline]] inline std::int64_t combine(const Word* a, const Word* b, Word* out,
                                                   std::int64_t words) {
    std::int64_t ones = 0;
    if (out == nullptr) {
        for (std::int64_t k = 0; k < words; ++k)
            ones += std::popcount(a[k] & (kNegate ? ~b[k] : b[k]));
        return ones;
    }
    for (std::int64_t k = 0; k < words; ++k) {
        const Word both = a[k] & (kNegate ? ~b[k] : b[k]);
        out[k] = both;
        ones += std::popcount(both);
    }
    return ones;
}

using Kernel = std::int64_t (*)(const Word*, const Word*, Word*, std::int64_t);

template <bool kNegate>
std::int64_t portable(const Word* a, const Word* b, Word* out, std::int64_t words) {
    return combine<kNegate>(a, b, out, words);
}

#if defined(__x86_64__)
template <bool kNegate>
[[gnu::target("avx512f,avx512vl,avx512vpopcntdq")]] std::int64_t with_vector_popcnt(
    const Word* a, const Word* b, Word* out, std::int64_t words) {
    return combine<kNegate>(a, b, out, words);
}

template <bool kNegate>
Kernel best_kernel() {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vl"))
        return with_vector_popcnt<kNegate>;
    return portable<kNegate>;
}
#else
template <bool kNegate>
Kernel best_kernel() {
    return portable<kNegate>;
}
#endif

const Kernel kAnd = best_kernel<false>();
const Kernel kAndNot = best_kernel<true>();

constexpr std::int64_t kLargestMatrix = std::int64_t{64} << 20;  // bytes; beyond it, lists

void fill(const GraphView& graph, Side side, std::int64_t words, std::vector<Word>& bits) {
    bits.assign(static_cast<std::size_t>(graph.num_nodes * words), 0);
    for (Node v = 0; v < graph.num_nodes; ++v)
        for (Node u : graph.neighbours(v, side))
            bits[static_cast<std::size_t>(v * words + (u >> 6))] |= Word{1} << (u & 63);
}

}  // namespace

std::int64_t and_words(const Word* a, const Word* b, Word* out, std::int64_t words) {
    return kAnd(a, b, out, words);
}

std::int64_t and_not_words(const Word* a, const Word* b, Word* out, std::int64_t words) {
    return kAndNot(a, b, out, words);
}

BitSets::Shared::Shared(const GraphView& g)
    : graph(g), words((static_cast<std::int64_t>(g.num_nodes) + 63) / 64) {
    fill(g, Side::out, words, out_);
    if (g.directed) fill(g, Side::in, words, in_);
    none_.assign(static_cast<std::size_t>(words), 0);
    if (g.label == nullptr) return;
    for (Node v = 0; v < g.num_nodes; ++v) {
        auto& bits = by_label_[g.label[v]];
        bits.resize(static_cast<std::size_t>(words), 0);
        bits[static_cast<std::size_t>(v >> 6)] |= Word{1} << (v & 63);
    }
}

std::int64_t BitSets::Shared::bytes(const GraphView& graph) {
    const auto n = static_cast<std::int64_t>(graph.num_nodes);
    return (graph.directed ? 2 : 1) * n * ((n + 63) / 64) * static_cast<std::int64_t>(sizeof(Word));
}

// A bit operation touches num_nodes / 64 words, a merge about two average rows.
bool BitSets::Shared::pays(const GraphView& graph, const Template& t) {
    if (t.typed()) return false;
    const auto n = static_cast<std::int64_t>(graph.num_nodes);
    return n * n / 8 <= kLargestMatrix && graph.num_entries() * 256 > n * n;
}

const Word* BitSets::Shared::with_label(std::int32_t label) const {
    const auto at = by_label_.find(label);
    return at == by_label_.end() ? none_.data() : at->second.data();
}

}  // namespace grape
