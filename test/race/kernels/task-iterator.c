/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: a task that reads all blocks depends on all but the last one.
 * An iterator stands for the items of its range only, whose end is not part of it
 * (OpenMP 5.2, 3.2.6 and 15.9.5). The fixed range has all blocks.
 */
enum { BLOCKS = 8 };

#ifdef FIXED
#define END BLOCKS
#else
#define END (BLOCKS - 1)
#endif

int main(void)
{
	int blocks[BLOCKS] = {0};
	int sum = 0;

#pragma omp parallel
#pragma omp single
	{
		for (int b = 0; b < BLOCKS; b++) {
#pragma omp task depend(out : blocks[b]) firstprivate(b) shared(blocks)
			blocks[b] = b + 1; /* race: write blocks */
		}
#pragma omp task depend(iterator(b = 0 : END), in : blocks[b]) shared(blocks, sum)
		for (int b = 0; b < BLOCKS; b++)
			sum += blocks[b]; /* race: read blocks */
	}
	return sum != 36;
}
