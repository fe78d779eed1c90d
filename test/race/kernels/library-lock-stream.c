/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library: threads write words to one stream by putc_unlocked.
 * flockfile() keeps other threads out until funlockfile(), and putc_unlocked() needs it (OpenMP
 * 5.2, 1.4.1, and POSIX.1, flockfile). The fixed threads call it.
 */
#include <stdio.h>

#ifdef FIXED
#define LOCK(file)   flockfile(file)
#define UNLOCK(file) funlockfile(file)
#else
#define LOCK(file)   ((void)0)
#define UNLOCK(file) ((void)0)
#endif

int main(void)
{
	FILE *file = tmpfile();
	long length;

	if (file == NULL)
		return 2;
#pragma omp parallel for schedule(static, 1)
	for (int i = 0; i < 200; i++) {
		LOCK(file);
		putc_unlocked('a' + i % 26, file); /* race: write file */
		putc_unlocked('\n', file);         /* race: write file */
		UNLOCK(file);
	}
	length = ftell(file);
	fclose(file);
	return length != 400;
}
