/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: a reference is declared within the region, so that it looks private.
 * What it refers to is shared (OpenMP 5.2, 5.1.1). The fixed one declares a variable there.
 */
#include <vector>

int main()
{
	std::vector<long> values(100, 2);
	long sum = 0, products = 0;

#pragma omp parallel for reduction(+ : products)
	for (int i = 0; i < 100; i++) {
#ifdef FIXED
		long product = sum;
#else
		long &product = sum;
#endif
		product = values[i] * i; /* race: write sum */
		products += product;     /* race: read sum */
	}
	return products != 9900;
}
