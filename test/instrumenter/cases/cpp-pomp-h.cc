/* SPDX-License-Identifier: BSD-3-Clause */
// The user's own names and the library's header do not meet ours.
#include "../../../include/pomp.h"
#include <cstdio>

#define pomp 1
#define parallel 2
#define region 3

static int pomp_fork0 = 1;

extern "C" int main()
{
	pomp_init();
#undef parallel
#pragma omp parallel num_threads(2)
	{
#pragma omp single
		pomp_fork0++;
	}
	std::printf("%d %d\n", pomp_fork0, pomp);
	return 0;
}
