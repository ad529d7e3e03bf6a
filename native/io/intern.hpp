// Numbers texts in order of first appearance. One block of bytes holds them all, so millions of
// short names cost little more than their letters.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace grape {

class NameTable {
  public:
    std::int64_t size() const { return static_cast<std::int64_t>(end_.size()) - 1; }

    std::string_view operator[](std::int64_t id) const {
        return {letters_.data() + end_[id], end_[id + 1] - end_[id]};
    }

    // The number of `name`, and whether it is new.
    std::pair<std::int64_t, bool> intern(std::string_view name) {
        if (4 * static_cast<std::size_t>(size() + 1) > 3 * slots_.size()) grow();
        const std::size_t hash = std::hash<std::string_view>{}(name);
        Slot& slot = find(hash, name);
        if (slot.id >= 0) return {slot.id, false};
        slot = {hash, static_cast<std::int32_t>(size())};
        letters_.append(name);
        end_.push_back(letters_.size());
        return {slot.id, true};
    }

    // The letters of all names, one after the other, and where each ends.
    std::vector<std::uint8_t> letters() const { return {letters_.begin(), letters_.end()}; }
    std::vector<std::int64_t> ends() const { return {end_.begin() + 1, end_.end()}; }

    static constexpr std::size_t kWarmAtOnce = 128;

    // Asks the processor for the memory that interning these names will touch. In a large table
    // every look-up waits for three places in turn; asked for together, they come together.
    void warm(std::span<const std::string_view> names) const {
        if (slots_.empty()) return;
        std::array<const Slot*, kWarmAtOnce> home;
        const std::size_t count = std::min(names.size(), kWarmAtOnce);
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t hash = std::hash<std::string_view>{}(names[k]);
            home[k] = &slots_[hash & (slots_.size() - 1)];
            __builtin_prefetch(home[k]);
        }
        for (std::size_t k = 0; k < count; ++k) {
            if (home[k]->id >= 0) __builtin_prefetch(&end_[home[k]->id]);
        }
        for (std::size_t k = 0; k < count; ++k) {
            if (home[k]->id >= 0) __builtin_prefetch(letters_.data() + end_[home[k]->id]);
        }
    }

  private:
    struct Slot {
        std::size_t hash = 0;  // spares comparing letters, and reading them again to grow
        std::int32_t id = -1;
    };

    Slot& find(std::size_t hash, std::string_view name) {
        std::size_t at = hash & (slots_.size() - 1);
        while (slots_[at].id >= 0 && (slots_[at].hash != hash || (*this)[slots_[at].id] != name)) {
            at = (at + 1) & (slots_.size() - 1);
        }
        return slots_[at];
    }

    void grow() {
        std::vector<Slot> old(slots_.empty() ? 1024 : 2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.id < 0) continue;
            std::size_t at = slot.hash & (slots_.size() - 1);
            while (slots_[at].id >= 0) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = slot;
        }
    }

    std::string letters_;
    std::vector<std::size_t> end_{0};
    std::vector<Slot> slots_;
};

}  // namespace grape
