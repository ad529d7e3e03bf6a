#include "nn/messages.hpp"

#include "bindings/nn/dense.hpp"

namespace grape::python {
namespace {

template <class T>
using Means = nb::ndarray<const T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
template <class T>
Messages<T> view(const Means<T>& means, const Dense<T>& logs) {
    const Messages<T> messages{means.data(), logs.data(), static_cast<Offset>(means.shape(0)),
                               static_cast<int>(means.shape(1)),
                               static_cast<Offset>(means.shape(2))};
    check_size(logs, messages.nodes * messages.roles, "logs");
    return messages;
}

template <class T>
void bind_type(nb::module_& m) {
    m.def(
        "message_statistics",
        [](Means<T> means, Dense<T> logs, Target<T> mean, Target<T> variance, int threads) {
            const Messages<T> messages = view<T>(means, logs);
            check_size(mean, 2 * messages.width(), "mean");
            check_size(variance, 2 * messages.width(), "variance");
            const nb::gil_scoped_release released;
            message_statistics(messages, mean.data(), variance.data(), threads);
        },
        "means"_a.noconvert(), "logs"_a.noconvert(), "mean"_a.noconvert(), "variance"_a.noconvert(),
        "threads"_a);
    m.def(
        "map_messages",
        [](Means<T> means, Dense<T> logs, Dense<T> mean, Dense<T> transposed_maps, Target<T> out,
           int threads) {
            const Messages<T> messages = view<T>(means, logs);
            const auto outs = static_cast<Offset>(out.shape(1));
            check_size(mean, 2 * messages.width(), "mean");
            check_size(transposed_maps, 2 * messages.width() * outs, "transposed_maps");
            check_size(out, messages.nodes * outs, "out");
            const nb::gil_scoped_release released;
            map_messages(messages, mean.data(), transposed_maps.data(), outs, out.data(), threads);
        },
        "means"_a.noconvert(), "logs"_a.noconvert(), "mean"_a.noconvert(),
        "transposed_maps"_a.noconvert(), "out"_a.noconvert(), "threads"_a);
    m.def(
        "maps_backward",
        [](Means<T> means, Dense<T> logs, Dense<T> mean, Dense<T> by_out, Target<T> by_maps,
           int threads) {
            const Messages<T> messages = view<T>(means, logs);
            const auto outs = static_cast<Offset>(by_maps.shape(0));
            check_size(mean, 2 * messages.width(), "mean");
            check_size(by_out, messages.nodes * outs, "by_out");
            check_size(by_maps, 2 * messages.width() * outs, "by_maps");
            const nb::gil_scoped_release released;
            maps_backward(messages, mean.data(), by_out.data(), outs, by_maps.data(), threads);
        },
        "means"_a.noconvert(), "logs"_a.noconvert(), "mean"_a.noconvert(), "by_out"_a.noconvert(),
        "by_maps"_a.noconvert(), "threads"_a);
    m.def(
        "messages_backward",
        [](Means<T> means, Dense<T> logs, Dense<T> mean, Dense<T> shift, Dense<T> turn,
           Dense<T> by_out, Dense<T> maps, Target<T> by_means, int threads) {
            const Messages<T> messages = view<T>(means, logs);
            const auto outs = static_cast<Offset>(maps.shape(0));
            for (const Dense<T>* each : {&mean, &shift, &turn})
                check_size(*each, 2 * messages.width(), "mean, shift or turn");
            check_size(by_out, messages.nodes * outs, "by_out");
            check_size(maps, 2 * messages.width() * outs, "maps");
            check_size(by_means, messages.nodes * messages.width(), "by_means");
            const nb::gil_scoped_release released;
            messages_backward(messages, mean.data(), shift.data(), turn.data(), by_out.data(),
                              maps.data(), outs, by_means.data(), threads);
        },
        "means"_a.noconvert(), "logs"_a.noconvert(), "mean"_a.noconvert(), "shift"_a.noconvert(),
        "turn"_a.noconvert(), "by_out"_a.noconvert(), "maps"_a.noconvert(),
        "by_means"_a.noconvert(), "threads"_a);
}

}  // namespace

void bind_messages(nb::module_& m) {
    bind_type<float>(m);
    bind_type<double>(m);
}

}  // namespace grape::python
