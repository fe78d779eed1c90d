/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loader's entry for the file whose code is at an address: dladdr1() of glibc, and an
 * equivalent for C libraries that only have dladdr(). It asks only the loader and allocates
 * nothing.
 */
#ifndef LOADED_OBJECT_H
#define LOADED_OBJECT_H
#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

/* Returns NULL if the loader knows no file there; else *info is as dladdr() fills it in. */
static inline struct link_map *pomp_loaded_object(const void *address, Dl_info *info)
{
	struct link_map *object = NULL;

#ifdef __GLIBC__
	if (dladdr1(address, info, (void **)&object, RTLD_DL_LINKMAP) == 0)
		return NULL;
#else
	/*
	 * musl's list is walked without its lock, because entries are appended and never removed.
	 * dladdr() returns the entry's own name, not a copy.
	 */
	if (dladdr(address, info) == 0 ||
	    dlinfo(dlopen(NULL, RTLD_LAZY), RTLD_DI_LINKMAP, &object) != 0)
		return NULL;
	while (object != NULL && object->l_name != info->dli_fname)
		object = object->l_next;
#endif
	return object;
}
#endif
