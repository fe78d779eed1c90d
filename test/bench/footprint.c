// SPDX-License-Identifier: BSD-3-Clause
// What a runtime costs before it does anything: `footprint memory THREADS` prints the resident
// bytes of an idle thread, `footprint none|query|region` starts, uses that much of OpenMP, and
// ends. footprint.py runs it on several runtimes in turn.
#include <inttypes.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_THREADS = 1024 };

// An address on each thread's stack. In pages of its own that are touched before anything is
// counted.
static uintptr_t on_stack[MAX_THREADS];

// Resident bytes of the process: those in mappings that hold a worker's stack, and the others.
struct resident {
	uint64_t stacks;
	uint64_t others;
};

static bool holds_a_stack(uintptr_t from, uintptr_t to)
{
	for (int i = 1; i < MAX_THREADS; i++) {
		if (on_stack[i] >= from && on_stack[i] < to)
			return true;
	}
	return false;
}

static struct resident count_resident(void)
{
	static char buffer[1 << 16];
	char line[512];
	struct resident sum = {0};
	bool stack = false;
	FILE *maps = fopen("/proc/self/smaps", "r");
	if (!maps) {
		perror("footprint: /proc/self/smaps");
		exit(1);
	}
	setvbuf(maps, buffer, _IOFBF, sizeof(buffer));
	while (fgets(line, sizeof(line), maps)) {
		uintptr_t from, to;
		uint64_t kilobytes;
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2)
			stack = holds_a_stack(from, to);
		else if (sscanf(line, "Rss: %" SCNu64 " kB", &kilobytes) == 1)
			*(stack ? &sum.stacks : &sum.others) += kilobytes * 1024;
	}
	fclose(maps);
	return sum;
}

static void region(int threads)
{
#pragma omp parallel num_threads(threads)
	{
		char here;
		on_stack[omp_get_thread_num()] = (uintptr_t)&here;
	}
}

static int memory(int threads)
{
	memset(on_stack, 0, sizeof(on_stack));
	region(2); // what comes once, not per thread: library pages, the first allocations
	count_resident();
	struct resident before = count_resident();
	region(threads);
	usleep(100000); // workers are asleep
	struct resident after = count_resident();
	int added = threads - 2;
	printf("%" PRIu64 " %" PRIu64 "\n", (after.stacks - before.stacks) / (uint64_t)added,
	    (after.others - before.others) / (uint64_t)added);
	return 0;
}

int main(int argc, char **argv)
{
	int threads = argc == 3 ? atoi(argv[2]) : 0;
	if (argc == 3 && !strcmp(argv[1], "memory") && threads > 2 && threads <= MAX_THREADS)
		return memory(threads);
	if (argc == 2 && !strcmp(argv[1], "none"))
		return 0;
	if (argc == 2 && !strcmp(argv[1], "query"))
		return omp_get_max_threads() < 1;
	if (argc == 2 && !strcmp(argv[1], "region")) {
		region(2);
		return on_stack[0] == 0;
	}
	fprintf(stderr, "usage: footprint memory THREADS (3 to %d) | none | query | region\n",
	    MAX_THREADS);
	return 2;
}
