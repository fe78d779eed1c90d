/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads by the full path if that is known: the program's search path need not include libpomp's
 * folder, and the system's may have a library of another release.
 */
#include "load-library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Loads a library from the folder of this one; NULL if that fails. */
static void *load_beside(const char *name)
{
	static const char here; /* an address in this library */
	Dl_info own;
	char *path;

	const char *slash = dladdr(&here, &own) != 0 ? strrchr(own.dli_fname, '/') : NULL;
	if (slash == NULL ||
	    asprintf(&path, "%.*s/%s", (int)(slash - own.dli_fname), own.dli_fname, name) < 0)
		return NULL;
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	free(path);
	return library;
}

const void *pomp_library_load(const char *name, const char *symbol, const char **reason)
{
	void *library = load_beside(name);

	/* By name, through the linker's search path, which finds it in a build tree. */
	if (library == NULL)
		library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	const void *found = library != NULL ? dlsym(library, symbol) : NULL;
	if (found == NULL)
		*reason = dlerror();
	return found;
}
