/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks are compressed in parallel and written in their order. */
#include "program.h"

#ifndef PACK
#define PACK 40000
#endif
enum { BLOCKS = 4000, WRITE = 12000 };

int main(void)
{
	long written = 0;

#pragma omp parallel for ordered schedule(SCHEDULE) // @loop
	for (int block = 0; block < BLOCKS; block++) {
		compute(PACK);
#pragma omp ordered // @write
		{
			compute(WRITE / FASTER);
			written += block;
		}
	}
	printf("%ld\n", written);
	return 0;
}
