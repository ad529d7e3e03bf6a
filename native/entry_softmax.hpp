// Attention weights: sums of two ends' scores, and the softmax over each node's entries, per head.
#pragma once

#include "entries.hpp"

namespace grape {

// Numbers of the entries, [entries, columns], one column per head.
struct EntryShape {
    Entries entries;
    Offset columns = 0;
};

// out[e] = receiver[v] + sender[u] for e = (v, u).
template <class T>
void pair_sum(const EntryShape& shape, const T* receiver, const T* sender, T* out);

template <class T>
void pair_sum_backward(const EntryShape& shape, const T* grad, T* grad_receiver, T* grad_sender);

// out[e] = exp(score[e]) / sum over the entries of v of exp(score)
template <class T>
void entry_softmax(const EntryShape& shape, const T* score, T* out);

// From the softmax `out` and its gradient.
template <class T>
void entry_softmax_backward(const EntryShape& shape, const T* out, const T* grad, T* grad_score);

}  // namespace grape
