/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays that live for one step, below the size from which malloc() maps them: when the last one is
 * freed, the heap shrinks, unless something else stands between them. A new region begins in each
 * of the first steps. Prints the page faults of the process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { STEPS = 60, ARRAYS = 80, BYTES = 100000 };

static double sum;

#define REGION(number)                                                                             \
	case number:                                                                               \
		_Pragma("omp parallel num_threads(2) reduction(+ : sum)") sum += number;           \
		break;
#define REGIONS(ten)                                                                               \
	REGION(ten)                                                                                \
	REGION(ten + 1)                                                                            \
	REGION(ten + 2)                                                                            \
	REGION(ten + 3)                                                                            \
	REGION(ten + 4)                                                                            \
	REGION(ten + 5)                                                                            \
	REGION(ten + 6)                                                                            \
	REGION(ten + 7)                                                                            \
	REGION(ten + 8)                                                                            \
	REGION(ten + 9)

static void compute(int step)
{
	switch (step) {
		REGIONS(0)
		REGIONS(10)
		REGIONS(20)
		REGIONS(30)
	default:
		break;
	}
}

int main(void)
{
	struct rusage usage;

	compute(0); /* the runtime makes its team */
	for (int step = 0; step < STEPS; step++) {
		char *array[ARRAYS];
		for (int i = 0; i < ARRAYS; i++)
			array[i] = memset(malloc(BYTES), step, BYTES);
		compute(step);
		for (int i = ARRAYS; i-- > 0;) {
			sum += array[i][step];
			free(array[i]);
		}
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("%ld\n", usage.ru_minflt);
	return sum < 0;
}
