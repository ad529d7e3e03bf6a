// Large arrays whose memory counts exactly while it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace grape {

// Large blocks come straight from the system, where there is a way to ask: their pages are taken
// when they are first written and go back at once when they are freed. The heap would keep them.
void* allocate_block(std::size_t bytes);  // throws std::bad_alloc
void free_block(void* block, std::size_t bytes) noexcept;

// Gives memory back that the heap keeps after many small blocks were freed.
void release_free_memory() noexcept;

template <class T>
struct BlockAllocator {
    using value_type = T;
    BlockAllocator() = default;
    template <class U>
    explicit BlockAllocator(const BlockAllocator<U>&) {}
    T* allocate(std::size_t n) { return static_cast<T*>(allocate_block(n * sizeof(T))); }
    void deallocate(T* block, std::size_t n) noexcept { free_block(block, n * sizeof(T)); }
    bool operator==(const BlockAllocator&) const = default;
};

// An array that grows. What it leaves behind when it moves goes back to the system.
template <class T>
using GrowingArray = std::vector<T, BlockAllocator<T>>;

// An array left uninitialised.
template <class T>
class Buffer {
  public:
    Buffer() = default;
    explicit Buffer(std::int64_t n)
        : data_(static_cast<T*>(allocate_block(bytes_of(n)))), size_(n) {}
    Buffer(Buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    Buffer& operator=(Buffer&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Buffer() {
        if (data_ != nullptr) free_block(data_, bytes_of(size_));
    }

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::int64_t size() const { return size_; }
    T& operator[](std::int64_t at) { return data_[at]; }
    const T& operator[](std::int64_t at) const { return data_[at]; }

  private:
    static std::size_t bytes_of(std::int64_t n) { return static_cast<std::size_t>(n) * sizeof(T); }

    T* data_ = nullptr;
    std::int64_t size_ = 0;
};

}  // namespace grape
