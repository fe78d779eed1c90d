/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares what WebAssembly's C library lacks; included before each of the engine's sources. */
#ifndef MISSING_H
#define MISSING_H

#include <stddef.h>

/* Like glibc's qsort_r(), but a comparison must not sort. */
void qsort_r(void *base, size_t count, size_t size,
    int (*compare)(const void *, const void *, void *), void *argument);

#endif
