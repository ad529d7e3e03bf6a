// Memory that grows as results come in, charged to the budget before it is taken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

#include "base/buffer.hpp"
#include "base/control.hpp"

namespace grape {

class Account {
  public:
    explicit Account(Control& control) : control_(&control) {}
    Account(Account&& other) noexcept
        : control_(other.control_), charged_(std::exchange(other.charged_, 0)) {}
    ~Account() { control_->add_bytes(-charged_); }

    // Throws std::bad_alloc, which ends the run, if that is beyond the budget.
    void charge(std::int64_t bytes) {
        charged_ += bytes;
        if (!control_->add_bytes(bytes)) throw std::bad_alloc();
    }

    // Room for `more` entries at the end of an array. While an array moves it is there twice.
    template <class T>
    void make_room(GrowingArray<T>& array, std::size_t more) {
        if (array.size() + more > array.capacity()) move_to_larger(array, more);
    }

  private:
    template <class T>
    [[gnu::noinline]] void move_to_larger(GrowingArray<T>& array, std::size_t more) {
        const std::size_t before = array.capacity();
        const std::size_t grown = array.size() + std::max(array.size(), more);
        charge(static_cast<std::int64_t>(grown * sizeof(T)));
        array.reserve(grown);
        charge(-static_cast<std::int64_t>(before * sizeof(T)));
    }

    Control* control_;
    std::int64_t charged_ = 0;
};

}  // namespace grape
