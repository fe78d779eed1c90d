/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library: threads write to one stream by putc_unlocked.
 * Streams are locked by each of their routines but those called unlocked, which write the buffer
 * plainly (OpenMP 5.2, 1.4.1). The fixed threads call putc.
 */
#include <stdio.h>

#ifdef FIXED
#define PUT putc
#else
#define PUT putc_unlocked
#endif

int main(void)
{
	FILE *file = tmpfile();
	long length;

	if (file == NULL)
		return 2;
	putc('>', file);
#pragma omp parallel for schedule(static, 1)
	for (int i = 0; i < 200; i++)
		PUT('a' + i % 26, file); /* race: write file */
	length = ftell(file);
	fclose(file);
	return length != 201;
}
