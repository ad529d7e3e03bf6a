// Batch normalisation followed by ReLU, over the rows of a matrix, in the fewest passes.
//
//   y = max(0, gain (x - mean) / sqrt(variance + epsilon) + bias)
#pragma once

#include "graph.hpp"

namespace grape {

template <class T>
struct NormRelu {
    Offset rows = 0;
    Offset columns = 0;
    const T* x = nullptr;  // [rows, columns]
    const T* gain = nullptr;
    const T* bias = nullptr;
    double epsilon = 0.0;
};

// Writes mean[columns], variance[columns] (over the rows, not corrected) and y[rows, columns].
template <class T>
void norm_relu_forward(const NormRelu<T>& layer, double* mean, double* variance, T* y);

// Derivatives with respect to x, gain and bias from that with respect to y.
template <class T>
void norm_relu_backward(const NormRelu<T>& layer, const double* mean, const double* variance,
                        const T* grad, T* grad_x, T* grad_gain, T* grad_bias);

}  // namespace grape
