/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ompinst loads where its engine is not linked with libclang: the newest version by its name,
 * whose functions a module then finds. The folder in LD_LIBRARY_PATH has an imitation of version
 * 30, which is newer than any libclang of the machine.
 */
#include "libclang.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	char *error = NULL;

	if (dlsym(RTLD_DEFAULT, "clang_imitated_version") != NULL) {
		fprintf(stderr, "the imitation is loaded before libclang_load()\n");
		return 1;
	}
	if (!libclang_load(&error)) {
		fprintf(stderr, "libclang_load(): %s\n", error != NULL ? error : "out of memory");
		free(error);
		return 1;
	}
	int (*version)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "clang_imitated_version");
	if (version == NULL || version() != 30) {
		fprintf(stderr, "clang_imitated_version(): expected 30, as of libclang-30.so.30\n");
		return 1;
	}
	return 0;
}
