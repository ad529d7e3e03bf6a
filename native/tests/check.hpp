// The smallest test helper that reports what failed and where.
#pragma once

#include <cstdio>
#include <cstdlib>

// Unlike assert, stays on in release builds.
#define CHECK(condition)                                                                \
    do {                                                                                \
        if (!(condition)) {                                                             \
            std::fprintf(stderr, "%s:%d: CHECK(%s)\n", __FILE__, __LINE__, #condition); \
            std::exit(1);                                                               \
        }                                                                               \
    } while (false)
