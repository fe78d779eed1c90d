/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: exceptions are caught within the region, and the handler notes the last one.
 * A handler is code of the thread that caught it, and its variable is shared (OpenMP 5.2, 5.1.1).
 * The fixed one notes within a critical region, the smallest.
 */
#include <stdexcept>

static int checked(int value)
{
	if (value % 40 == 39)
		throw std::out_of_range("value");
	return 1;
}

int main()
{
	int bad = 1000;
	int good = 0;

#pragma omp parallel for reduction(+ : good) schedule(static, 10)
	for (int i = 0; i < 400; i++) {
		try {
			good += checked(i);
		} catch (const std::out_of_range &) {
#ifdef FIXED
#pragma omp critical
			bad = i < bad ? i : bad;
#else
			if (i < bad)     /* race: read bad */
				bad = i; /* race: write bad */
#endif
		}
	}
	return good != 390 || bad != 39;
}
