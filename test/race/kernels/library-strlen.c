/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library: threads append to one string by strlen and snprintf.
 * Both look for the end of the string, which another thread moves (OpenMP 5.2, 1.4.1). The fixed
 * one appends within a critical region.
 */
#include <stdio.h>
#include <string.h>

int main(void)
{
	char text[400] = "";

#pragma omp parallel for
	for (int i = 0; i < 50; i++) {
#ifdef FIXED
#pragma omp critical
#endif
		{
			size_t length = strlen(text);              /* race: read text */
			snprintf(text + length, 4, "%d,", i % 10); /* race: write text */
		}
	}
	return strlen(text) != 100;
}
