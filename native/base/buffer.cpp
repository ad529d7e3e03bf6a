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

[[maybe_unused]] constexpr std::size_t kLarge = std::size_t{1} << 18;

}  // namespace

void* allocate_block(std::size_t bytes) {
#if defined(__unix__) || defined(__APPLE__)
    if (bytes >= kLarge) {
        void* block =
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED) throw std::bad_alloc();
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
