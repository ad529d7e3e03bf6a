// The messages that go through the maps of the roles (grape_gnn/nn/role_maps.py):
//
//   x[v, r, 0] = m[v, r],   x[v, r, 1] = s[v, r] m[v, r]
//
// with m the mean over the members of role r and s the logarithm of one plus their number. They are
// twice as large as the means, so they are written for a few nodes at a time, which stay in a cache
// until they are mapped.
#pragma once

#include "base/graph.hpp"

namespace grape {

template <class T>
struct Messages {
    const T* means;  // [nodes, roles, columns]
    const T* logs;   // [nodes, roles]
    Offset nodes;
    int roles;
    Offset columns;

    Offset width() const { return roles * columns; }  // of the means of a node
};

// Mean and variance over the nodes: mean[roles, 2, columns] and variance of the same shape.
template <class T>
void message_statistics(const Messages<T>& messages, T* mean, T* variance, int threads);

// out[nodes, roles, 2, columns] = the messages less their mean.
template <class T>
void centred_messages(const Messages<T>& messages, const T* mean, T* out);

// by_means[nodes, roles, columns], from the derivative by the messages: that is `by_messages` plus
// what follows from the statistics, shift + turn (x - mean). It may take the place of the means.
template <class T>
void messages_backward(const Messages<T>& messages, const T* mean, const T* shift, const T* turn,
                       const T* by_messages, T* by_means);

}  // namespace grape
