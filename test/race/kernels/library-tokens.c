/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library: threads cut their own strings into words by strtok.
 * strtok keeps its place in a static variable of the library, which is shared by all threads
 * (OpenMP 5.2, 5.1.2). The fixed one calls strtok_r, whose place is the caller's.
 */
#include <string.h>

int main(void)
{
	int words = 0;

#pragma omp parallel for reduction(+ : words)
	for (int i = 0; i < 40; i++) {
		char text[] = "a bb ccc"; /* race: write text */
#ifdef FIXED
		char *place;
		for (char *w = strtok_r(text, " ", &place); w; w = strtok_r(NULL, " ", &place))
			words++;
#else
		for (char *w = strtok(text, " "); w; w = strtok(NULL, " ")) /* race: write place */
			words++;
#endif
	}
	return words != 120;
}
