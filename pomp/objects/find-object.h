/* SPDX-License-Identifier: BSD-3-Clause */
/* The loaded file at an address, by a function of the C library that takes no lock. */
#ifndef FIND_OBJECT_H
#define FIND_OBJECT_H

#include <dlfcn.h>
#include <link.h>

/*
 * _dl_find_object() of glibc 2.35 and newer, which handlers may call ("AS-safe" in its manual);
 * NULL if the C library has none. Its result is described here, because the library may be built
 * with an older C library than it runs with.
 */
struct found_object {
	unsigned long long flags;
	const void *start, *end;
	struct link_map *map;
	const void *tables; /* .eh_frame_hdr; NULL: none */
	unsigned long long reserved[8];
};

typedef int find_object(void *address, struct found_object *found);

find_object *pomp_find_object(void);

#endif
