/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data: a structure with a pointer inside is firstprivate.
 * The copy is as by assignment (OpenMP 5.2, 5.4.4): the buffer behind the pointer remains one for
 * all threads. The fixed one gives each thread's copy a buffer of its own.
 */
#include <stdlib.h>

struct line {
	int *text;
	int length;
};

int main(void)
{
	int buffer[8] = {0};
	struct line line = {buffer, 8};
	long sum = 0;

#pragma omp parallel firstprivate(line) reduction(+ : sum)
	{
#ifdef FIXED
		int own[8];
		line.text = own;
#endif
#pragma omp for
		for (int i = 0; i < 100; i++) {
			for (int at = 0; at < line.length; at++)
				line.text[at] = i;         /* race: write buffer */
			sum += line.text[i % line.length]; /* race: read buffer */
		}
	}
	return sum != 4950;
}
