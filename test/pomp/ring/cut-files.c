/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded into `ompinst trace`: makes a thread's file shorter as soon as it is mapped, as
 * somebody else might at that moment.
 */
#undef _FILE_OFFSET_BITS /* both names are defined here */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef void *map(void *, size_t, int, int, int, off_t);

static void cut(int file)
{
	char name[64], path[4096] = "";

	snprintf(name, sizeof name, "/proc/self/fd/%d", file);
	if (readlink(name, path, sizeof path - 1) > 0 && strstr(path, "/thread-") != NULL &&
	    truncate(path, 0) != 0)
		perror(path);
}

static void *map_and_cut(
    const char *name, void *address, size_t length, int protection, int flags, int file, off_t at)
{
	map *next = (map *)dlsym(RTLD_NEXT, name);
	void *place = next(address, length, protection, flags, file, at);

	if (file >= 0 && flags & MAP_SHARED && place != MAP_FAILED)
		cut(file);
	return place;
}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void *mmap(void *address, size_t length, int protection, int flags, int file, off_t at)
{
	return map_and_cut("mmap", address, length, protection, flags, file, at);
}

#ifdef __GLIBC__
EXPORTED void *mmap64(void *address, size_t length, int protection, int flags, int file, off64_t at)
{
	return map_and_cut("mmap64", address, length, protection, flags, file, (off_t)at);
}
#endif
