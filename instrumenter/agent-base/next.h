/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the next function of the same name, which a preloaded function replaces. */
#ifndef RACE_NEXT_H
#define RACE_NEXT_H

#include <dlfcn.h>
#include <stddef.h>

/* Looked up at the first call, by any thread; *function is NULL before that. */
static inline void next_find(void **function, const char *name)
{
	if (__atomic_load_n(function, __ATOMIC_RELAXED) == NULL)
		__atomic_store_n(function, dlsym(RTLD_NEXT, name), __ATOMIC_RELAXED);
}

#endif
