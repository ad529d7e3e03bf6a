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
        "centred_messages",
        [](Means<T> means, Dense<T> logs, Dense<T> mean, Target<T> out) {
            const Messages<T> messages = view<T>(means, logs);
            check_size(mean, 2 * messages.width(), "mean");
            check_size(out, 2 * messages.nodes * messages.width(), "out");
            const nb::gil_scoped_release released;
            centred_messages(messages, mean.data(), out.data());
        },
        "means"_a.noconvert(), "logs"_a.noconvert(), "mean"_a.noconvert(), "out"_a.noconvert());
    m.def(
        "messages_backward",
        [](Means<T> means, Dense<T> logs, Dense<T> mean, Dense<T> shift, Dense<T> turn,
           Dense<T> by_messages, Target<T> by_means) {
            const Messages<T> messages = view<T>(means, logs);
            for (const Dense<T>* each : {&mean, &shift, &turn})
                check_size(*each, 2 * messages.width(), "mean, shift or turn");
            check_size(by_messages, 2 * messages.nodes * messages.width(), "by_messages");
            check_size(by_means, messages.nodes * messages.width(), "by_means");
            const nb::gil_scoped_release released;
            messages_backward(messages, mean.data(), shift.data(), turn.data(), by_messages.data(),
                              by_means.data());
        },
        "means"_a.noconvert(), "logs"_a.noconvert(), "mean"_a.noconvert(), "shift"_a.noconvert(),
        "turn"_a.noconvert(), "by_messages"_a.noconvert(), "by_means"_a.noconvert());
}

}  // namespace

void bind_messages(nb::module_& m) {
    bind_type<float>(m);
    bind_type<double>(m);
}

}  // namespace grape::python
