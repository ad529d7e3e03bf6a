// Scores of neighbours by a hidden layer (GeniePath): for every entry e = (v, u)
//
//   score[e] = sum over columns c of slope[c] tanh(receiver[v, c] + sender[u, c])
//
// Nothing of the size entries x columns is ever stored: the derivatives take the tanh again.
#pragma once

#include "entries.hpp"

namespace grape {

template <class T>
struct TanhScores {
    Entries entries;
    Offset columns = 0;
    const T* receiver = nullptr;  // [rows, columns]
    const T* sender = nullptr;    // [rows, columns]
    const T* slope = nullptr;     // [columns]
};

template <class T>
void tanh_scores(const TanhScores<T>& scores, T* out);

// Derivatives from those of the scores, grad[entries].
template <class T>
void tanh_scores_backward(const TanhScores<T>& scores, const T* grad, T* grad_receiver,
                          T* grad_sender, T* grad_slope);

}  // namespace grape
