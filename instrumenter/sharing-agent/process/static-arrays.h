/* SPDX-License-Identifier: BSD-3-Clause */
/* The large variables of static storage, as the loaded files' symbol tables have them. */
#ifndef SHARING_STATIC_ARRAYS_H
#define SHARING_STATIC_ARRAYS_H

#include <stddef.h>
#include <stdint.h>

/* Calls found() with those of at least so many bytes. Behind loaded_files_read(). */
void static_arrays_find(size_t least, void (*found)(uintptr_t start, size_t size));

#endif
