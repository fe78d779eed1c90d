/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An instrumented plugin (this file, built again as a module) is loaded, run and unloaded several
 * times: its regions go on, its memory is really gone, and its results stay.
 */
#include "regions.h"

#ifdef PLUGIN
enum { PARALLEL, USER, COUNT };

OMPRegDescr regions[COUNT] = {
    [PARALLEL] = REGION("parallel", "plugin", 10),
    [USER] = REGION("region", "plugin", 20),
};
const int region_count = COUNT;

__attribute__((destructor)) static void unregister(void)
{
	pomp_unregister_regions(regions);
}

void run(void) __attribute__((visibility("default")));
void run(void)
{
	pomp_begin(&regions[USER]);
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(2)
	{
		pomp_parallel_begin(&regions[PARALLEL], fork);
		pomp_parallel_end(&regions[PARALLEL]);
	}
	pomp_parallel_join(&regions[PARALLEL], fork);
	pomp_end(&regions[USER]);
}
#else
#include <dlfcn.h>
#include <omp.h>

OMPRegDescr regions[] = {REGION("region", "main", 1)};
const int region_count = 1;

enum { ROUNDS = 5 };

int main(int argc, char **argv)
{
	omp_set_dynamic(0); /* links the runtime, whose threads would not survive its unloading */
	pomp_begin(&regions[0]);
	for (int round = 0; argc > 1 && round < ROUNDS; round++) {
		void *plugin = dlopen(argv[1], RTLD_NOW);
		void (*run)(void) = plugin ? (void (*)(void))dlsym(plugin, "run") : NULL;
		if (run == NULL) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		const OMPRegDescr *inside = dlsym(plugin, "regions");
		run();
		check(inside[0].data[0] == 2, "the region's number", inside[0].data[0], 2);
		dlclose(plugin);
		if (dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) != NULL) {
			fprintf(stderr, "the plugin was not unloaded: this tests nothing\n");
			return 77;
		}
	}
	pomp_end(&regions[0]);
	pomp_finalize();
	expect(&regions[0], 1);
	print_expected("visits region|plugin|20|%d", ROUNDS);
	print_expected("visits parallel|plugin|10|%d", 2 * ROUNDS);
	print_expected("locations 2");
	return result();
}
#endif
