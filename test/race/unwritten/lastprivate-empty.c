/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data: a loop without iterations gives its lastprivate variable no value.
 */
#include <stdlib.h>

int main(int count, char **words)
{
	int last;
	int limit = count - 1;

	(void)words;
#ifdef FIXED
	last = 0;
#endif
#pragma omp parallel for num_threads(2) lastprivate(last)
	for (int i = 0; i < limit; i++)
		last = i;
	if (last > 5) /* memory: read */
		return 1;
	return 0;
}
