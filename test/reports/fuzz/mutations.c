/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the fuzz target over mutations of files that keep the records' framing, with little memory:
 * `log-mutations COUNT FILE...`. Each file is mutated COUNT times, further and further, and from
 * the beginning again now and then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 1 << 17, FURTHER = 12 };

/* 64 MiB for the conversion; the rest for the reader of what it has made, and for this program. */
static const rlim_t memory = 96 << 20;

int main(int argc, char **argv)
{
	static uint8_t original[MOST], data[MOST];
	const struct rlimit limit = {memory, memory};
	unsigned count = argc > 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;

	if (count == 0 || setrlimit(RLIMIT_DATA, &limit) != 0)
		return 2;
	for (int i = 2; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");
		if (file == NULL) {
			fprintf(stderr, "cannot read %s\n", argv[i]);
			return 1;
		}
		size_t whole = fread(original, 1, MOST, file), size = whole;
		fclose(file);
		for (unsigned seed = 0; seed < count; seed++) {
			if (seed % FURTHER == 0) {
				memcpy(data, original, whole);
				size = whole;
			}
			size = mutate_logs(data, size, MOST, seed);
			/* What fails says which: it can be made again. */
			fprintf(stderr, "\r%s, seed %u ", argv[i], seed);
			LLVMFuzzerTestOneInput(data, size);
		}
		fprintf(stderr, "\n");
	}
	return 0;
}
