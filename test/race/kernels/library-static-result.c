/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library: threads use a routine of the C library that returns the address of a static object.
 * gmtime writes that one object in each call, whichever thread calls it (OpenMP 5.2, 5.1.2). The
 * fixed one calls gmtime_r with an object of its own.
 */
#include <time.h>

int main(void)
{
	int wrong = 0;

#pragma omp parallel for reduction(+ : wrong)
	for (int day = 0; day < 50; day++) {
		time_t moment = (time_t)day * 86400;
#ifdef FIXED
		struct tm own;
		struct tm *fields = gmtime_r(&moment, &own);
#else
		struct tm *fields = gmtime(&moment); /* race: write tm */
#endif
		wrong += fields->tm_yday != day; /* race: read tm */
	}
	return wrong != 0;
}
