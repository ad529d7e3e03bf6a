#include "nn/random_bits.hpp"

#include "bindings/common.hpp"

namespace grape::python {

void bind_random_bits(nb::module_& m) {
    m.def(
        "draw_kept",
        [](nb::ndarray<std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> words, int next,
           double share, nb::ndarray<std::uint8_t, nb::c_contig, nb::device::cpu> kept) {
            if (words.size() != Twister::kWords || next < 0 || next > Twister::kWords)
                throw nb::value_error("a generator has 624 words");
            Twister twister;
            std::copy_n(words.data(), Twister::kWords, twister.words);
            twister.next = next;
            {
                const nb::gil_scoped_release released;
                draw_kept(twister, share, kept.data(), static_cast<std::int64_t>(kept.size()));
            }
            std::copy_n(twister.words, Twister::kWords, words.data());
            return twister.next;
        },
        "words"_a.noconvert(), "next"_a, "share"_a, "kept"_a.noconvert());
}

}  // namespace grape::python
