/* SPDX-License-Identifier: BSD-3-Clause */
/* Instrumentation by hand, in the same file as ours. */
#include "../../../include/pomp.h"
#include <stdio.h>

static OMPRegDescr mine = {"region", "mine", 0, "pomp-h.c", 6, 6, 20, 20, {0}, NULL};

int main(void)
{
	int x = 0;

	pomp_register_regions(&mine);
	pomp_begin(&mine);
#pragma omp parallel for reduction(+:x)
	for (int i = 0; i < 4; i++)
		x += i;
	pomp_end(&mine);
	printf("%d\n", x);
	pomp_unregister_regions(&mine);
	return 0;
}
