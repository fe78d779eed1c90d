/* SPDX-License-Identifier: BSD-3-Clause */
/* Producer and consumer as tasks: blocks are read one behind the other, and used when there. */
#include "program.h"

enum { BLOCKS = 4000, READ = 25000, USE = 42000 };

#ifdef USE_HALF
enum { USE_FASTER = 2 };
#else
enum { USE_FASTER = 1 };
#endif

int main(void)
{
	static char file, block[BLOCKS];

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < BLOCKS; i++) {
#pragma omp task depend(inout : file) depend(out : block[i]) // @read
		compute(READ / FASTER);
#pragma omp task depend(in : block[i]) // @use
		compute(USE / USE_FASTER);
	}
	(void)block;
	(void)file;
	return 0;
}
