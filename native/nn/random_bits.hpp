// Which values dropout keeps, drawn as torch draws them, from the state of its generator.
//
// torch takes two words of the Mersenne Twister (Matsumoto and Nishimura, 1998) for every value, the
// first of them the higher half, and keeps the value if the lower 53 bits, as a fraction, are below
// `share`. A word at a time that is slow; here all 624 of a state are made at once.
#pragma once

#include <cstdint>

namespace grape {

struct Twister {
    static constexpr int kWords = 624;
    std::uint32_t words[kWords];
    int next;  // the first word that was not used, kWords: none
};

// Fills kept[0], ..., kept[count - 1] with ones and zeros, and moves the generator on.
void draw_kept(Twister& twister, double share, std::uint8_t* kept, std::int64_t count);

}  // namespace grape
