#include "base/buffer.hpp"

#include <new>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/mman.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace grape {
namespace {

[[maybe_unused]] constexpr std::size_t kLarge = std::size_t{1} << 21;
// From here on pages of 2 MB, which cost a fraction of as many small ones. The kernel lays none
// beyond the block.
[[maybe_unused]] constexpr std::size_t kHuge = std::size_t{1} << 23;

}  // namespace

void* allocate_block(std::size_t bytes) {
#if defined(__unix__) || defined(__APPLE__)
    if (bytes >= kLarge) {
        void* block =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
        if (bytes >= kHuge) madvise(block, bytes, MADV_HUGEPAGE);
#endif
        return block;
    }
#endif
    return ::operator new(bytes);
}

void free_block(void* block, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__unix__) || defined(__APPLE__)
    if (bytes >= kLarge) {
        munmap(block, bytes);
        return;
    }
#endif
    ::operator delete(block);
}

void release_free_memory() noexcept {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

}  // namespace grape
