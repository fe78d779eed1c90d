/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads libclang for an engine that is not linked with it, as the relocatable archive has it:
 * libclang's soname differs from one distribution and version to the next, its C interface does
 * not. Called in the child process that works with the engine.
 */
#include "libclang.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OLDEST = 14, NEWEST = 30 };

/* The sonames of one version. */
static const char *const sonames[] = {
    "libclang-%1$d.so.%1$d", /* Debian and Ubuntu */
    "libclang-%1$d.so.1",    /* the same, up to version 18 */
    "libclang.so.%1$d.1",    /* LLVM's own since version 18 */
    "libclang.so.%1$d",      /* the same, up to version 17 */
};

/* The interface's number as the soname, which tells nothing of the version: Fedora and RHEL. */
#define ANY_VERSION "libclang.so.13"

static bool load(const char *soname)
{
	void *library = dlopen(soname, RTLD_NOW | RTLD_GLOBAL);

	// cppcheck-suppress resourceLeak ; it stays loaded
	return library != NULL;
}

bool libclang_load(char **error)
{
	char soname[64];

	for (int version = NEWEST; version >= OLDEST; version--) {
		for (size_t i = 0; i < sizeof sonames / sizeof *sonames; i++) {
			snprintf(soname, sizeof soname, sonames[i], version);
			if (load(soname))
				return true;
		}
	}
	if (load(ANY_VERSION))
		return true;
	if (asprintf(error,
		"libclang %d or newer was not found: install it (Debian 11 and 12: libclang1-16, "
		"Debian 13: libclang1-19, Fedora and RHEL: clang-libs, Arch: clang) or put its "
		"folder into LD_LIBRARY_PATH",
		OLDEST) < 0)
		*error = NULL;
	return false;
}
