// Dropout: numbers set to zero at random, the rest scaled up.
#pragma once

#include <cstdint>

namespace grape {

// out[i] = in[i] / (1 - share), or 0 with probability `share`. What is dropped depends on the
// seed and on i only, so that the backward pass repeats it without a stored mask.
template <class T>
void dropout(const T* in, std::int64_t size, double share, std::uint64_t seed, T* out);

}  // namespace grape
