/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check-calls LIBRARY: the library defines each call whose name comes on the standard input, by the
 * symbol that instrumented text calls and by its plain name, which are the same function.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
	char line[128], name[sizeof("__pomp_") + sizeof(line)];
	void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	int missing = 0, found = 0;

	if (library == NULL) {
		fprintf(stderr, "check-calls: %s\n", argc == 2 ? dlerror() : "expected a library");
		return 2;
	}
	while (fgets(line, sizeof(line), stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		snprintf(name, sizeof(name), "__pomp_%s", line);
		const void *call = dlsym(library, name);
		if (call != NULL && dlsym(library, name + strlen("__")) == call) {
			found++;
			continue;
		}
		printf("%s is in the list of constructs, but not in libpomp by both names\n", name);
		missing++;
	}
	return missing > 0 || found == 0;
}
