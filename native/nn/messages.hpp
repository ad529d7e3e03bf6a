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
    Messages part(Offset begin, Offset end) const {
        return {means + begin * width(), logs + begin * roles, end - begin, roles, columns};
    }
};

// Mean and variance over the nodes: mean[roles, 2, columns] and variance of the same shape.
template <class T>
void message_statistics(const Messages<T>& messages, T* mean, T* variance, int threads);

// Products with the messages less their mean. `outs` is the number of columns that they are mapped
// to, and maps have the shape [outs, roles, 2, columns].

// out[nodes, outs], from the transposed maps.
template <class T>
void map_messages(const Messages<T>& messages, const T* mean, const T* transposed_maps, Offset outs,
                  T* out, int threads);

// by_maps, from the derivative by `out`.
template <class T>
void maps_backward(const Messages<T>& messages, const T* mean, const T* by_out, Offset outs,
                   T* by_maps, int threads);

// by_means[nodes, roles, columns], from the same. The derivative by the messages x is that through
// the maps plus what follows from the statistics, shift + turn (x - mean). It may take the place of
// the means.
template <class T>
void messages_backward(const Messages<T>& messages, const T* mean, const T* shift, const T* turn,
                       const T* by_out, const T* maps, Offset outs, T* by_means, int threads);

}  // namespace grape
