/* SPDX-License-Identifier: BSD-3-Clause */
/* What the C library of WebAssembly lacks; included before each of the engine's sources. */
#ifndef MISSING_H
#define MISSING_H

#include <stddef.h>

/* As GNU's; a comparison must not sort. */
void qsort_r(void *base, size_t count, size_t size,
    int (*compare)(const void *, const void *, void *), void *argument);

#endif
