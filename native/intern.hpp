// Numbers texts in order of first appearance. One block of bytes holds them all, so millions of
// short names cost little more than their letters.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
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
        if (2 * static_cast<std::size_t>(size() + 1) > slots_.size()) grow();
        const std::size_t hash = std::hash<std::string_view>{}(name);
        Slot& slot = find(hash, name);
        if (slot.id >= 0) return {slot.id, false};
        slot = {static_cast<std::uint32_t>(hash >> 32), static_cast<std::int32_t>(size())};
        letters_.append(name);
        end_.push_back(letters_.size());
        return {slot.id, true};
    }

  private:
    struct Slot {
        std::uint32_t check = 0;  // upper half of the hash: spares most comparisons of letters
        std::int32_t id = -1;
    };

    Slot& find(std::size_t hash, std::string_view name) {
        const auto check = static_cast<std::uint32_t>(hash >> 32);
        std::size_t at = hash & (slots_.size() - 1);
        while (slots_[at].id >= 0 &&
               (slots_[at].check != check || (*this)[slots_[at].id] != name)) {
            at = (at + 1) & (slots_.size() - 1);
        }
        return slots_[at];
    }

    void grow() {
        slots_.assign(slots_.empty() ? 1024 : 2 * slots_.size(), Slot{});
        for (std::int64_t id = 0; id < size(); ++id) {
            const std::size_t hash = std::hash<std::string_view>{}((*this)[id]);
            find(hash, (*this)[id]) = {static_cast<std::uint32_t>(hash >> 32),
                                       static_cast<std::int32_t>(id)};
        }
    }

    std::string letters_;
    std::vector<std::size_t> end_{0};
    std::vector<Slot> slots_;
};

}  // namespace grape
