// One pass over a sparsity for all roles and templates of a GRAPE layer (paper, eq. 2).
//
// Roles whose members are neighbours of the ego live on the graph's own entries, so they share
// its index arrays and differ in values only. Roles fall into groups (one per template); with
// weights s[r, v] per role and ego, and t[g] per group for the ego's own features, the pass is
//
//   sums[v, r] = sum over entries (v, u) of C_r[v, u] h[u]
//   out[v, g]  = t[g] h[v] + sum over r in g of s[r, v] sums[v, r]
//
// Features are shared by all groups, h[u, :], or there is one block per group, h[u, g, :].
// The egos are the first of the nodes: all of them, but for batches.
// Roles further away have a sparsity each: their passes have no t and add to what is there.
// The end of a path of two edges has too many members for that: it is a step onward from sums over
// the neighbours, A A - D, and where a role has just these sums (an edge) they need not be taken
// twice.
#pragma once

#include "base/graph.hpp"

namespace grape {

template <class T>
struct FusedRoles {
    Node num_rows = 0;
    Node num_columns = 0;  // nodes that idx numbers; in a batch not as many as there are rows
    const Offset* ptr = nullptr;
    const Node* idx = nullptr;
    int num_roles = 0;
    int num_groups = 0;                   // in memory; the roles may belong to a few of them
    const std::int32_t* role = nullptr;   // rows of s; ascending
    const std::int32_t* group = nullptr;  // of every role; ascending
    const T* const* values = nullptr;     // of every role, one per entry
    Offset columns = 0;                   // features per group
    bool shared = true;                   // h[u, :] for all groups, or h[u, g, :]

    Offset num_entries() const { return ptr[num_rows]; }
    // Features of one node, and where those of a group begin among them.
    Offset stride() const { return shared ? columns : num_groups * columns; }
    Offset start(int g) const { return shared ? 0 : g * columns; }
};

// Which of the roles is played once by every neighbour, and sums[rows, columns] over these.
template <class T>
struct Neighbours {
    int role = -1;  // its place among the roles; -1: nobody asks
    T* sums = nullptr;
};

// Writes out[rows, groups, columns], or adds to it when `ego` is nullptr; writes sums[rows, roles,
// columns] unless it is nullptr, or those over the neighbours if they are asked for: not both.
template <class T>
void fused_forward(const FusedRoles<T>& roles, const T* ego, const T* scale, const T* h, T* sums,
                   T* out, int threads, Neighbours<T> neighbours = {});

// A step onward: out[v, group] += scale[v] (sum over entries (v, u) of from[u] - less[v]), where
// scale and less may be nullptr: ones and zeros.
template <class T>
void step_onward(const FusedRoles<T>& roles, const T* from, const T* less, const T* scale, T* out,
                 int group, int threads);

// The derivative with respect to the features, written, or added when `ego` is nullptr. Every sum
// has its terms in the order of the egos, whatever the number of threads. What neighbours.sums[v]
// holds is given to v's neighbours besides, and `back`[v] is taken off v as often as it has some.
template <class T>
void fused_backward_features(const FusedRoles<T>& roles, const T* ego, const T* scale,
                             const T* grad, T* grad_h, int threads,
                             Neighbours<const T> neighbours = {}, const T* back = nullptr);

// The derivatives with respect to the weights, from the sums of the forward pass: grad_ego[groups]
// unless it is nullptr, and the rows of grad_scale[all roles, rows] that belong to these roles.
template <class T>
void fused_backward_weights(const FusedRoles<T>& roles, const T* h, const T* sums, const T* grad,
                            T* grad_ego, T* grad_scale);

}  // namespace grape
