/* SPDX-License-Identifier: BSD-3-Clause */
/* For libpomp.so: loads libpomp_names.so. It brings libdw, which libpomp itself does not need. */
#include "names-library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beside this library, or NULL. */
static void *load_beside(void)
{
	static const char here; /* an address in this library */
	Dl_info own;
	char *path;

	const char *slash = dladdr(&here, &own) != 0 ? strrchr(own.dli_fname, '/') : NULL;
	if (slash == NULL || asprintf(&path, "%.*s/" CODE_NAMES_LIBRARY,
				 (int)(slash - own.dli_fname), own.dli_fname) < 0)
		return NULL;
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	free(path);
	return library;
}

const struct code_names_table *pomp_names_load(const char **reason)
{
	void *library = load_beside();

	/* By name, as the linker's path says, which is where a build has it. */
	if (library == NULL)
		library = dlopen(CODE_NAMES_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (library == NULL) {
		*reason = dlerror();
		return NULL;
	}
	const struct code_names_table *table = dlsym(library, CODE_NAMES_SYMBOL);
	if (table == NULL || table->version != CODE_NAMES_VERSION) {
		*reason = CODE_NAMES_LIBRARY ": of another version";
		return NULL;
	}
	return table;
}
