/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library: a task formats a message from a string that its generator changes.
 * snprintf reads the string when the task is executed (OpenMP 5.2, 12.5). In the fixed one the
 * task has a copy of the string.
 */
#include <stdio.h>
#include <string.h>

int main(void)
{
	char lines[8][24];
	int wrong = 0;

#pragma omp parallel
#pragma omp single
	{
		char name[12] = "";

		for (int i = 0; i < 8; i++) {
			snprintf(name, sizeof name, "part-%d", i); /* race: write name */
#ifdef FIXED
#pragma omp task firstprivate(i, name) shared(lines)
#else
#pragma omp task firstprivate(i) shared(name, lines)
#endif
			snprintf(lines[i], sizeof lines[i], "<%s>", name); /* race: read name */
		}
#pragma omp taskwait
	}
	for (int i = 0; i < 8; i++)
		wrong += lines[i][6] != '0' + i || strlen(lines[i]) != 8;
	return wrong != 0;
}
