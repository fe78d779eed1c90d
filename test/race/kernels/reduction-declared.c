/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduction: the place of the largest element is kept in a shared structure.
 * Comparison and assignment by several threads race. The fixed one declares a reduction for the
 * structure (OpenMP 5.2, 5.5.11).
 */
struct peak {
	int value;
	int place;
};

static struct peak larger(struct peak a, struct peak b)
{
	if (a.value != b.value)
		return a.value > b.value ? a : b;
	return a.place < b.place ? a : b;
}

#ifdef FIXED
#pragma omp declare reduction(largest                                                              \
			      : struct peak                                                        \
			      : omp_out = larger(omp_out, omp_in)) initializer(omp_priv = {-1, 0})
#define PEAK reduction(largest : peak)
#else
#define PEAK shared(peak)
#endif

int main(void)
{
	struct peak peak = {-1, 0};

#pragma omp parallel for PEAK
	for (int i = 0; i < 500; i++) {
		struct peak here = {i * 3 % 500, i};
		struct peak now = larger(peak, here); /* race: read peak */
		peak = now;                           /* race: write peak */
	}
	return peak.value != 499 || peak.place != 333;
}
