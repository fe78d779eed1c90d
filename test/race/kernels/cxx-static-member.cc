/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: a static data member is the scratch variable of a class.
 * Static members are shared (OpenMP 5.2, 5.1.2). The fixed one is threadprivate (5.2).
 */
struct scale {
	static long factor;
#ifdef FIXED
#pragma omp threadprivate(factor)
#endif
	static long apply(long value)
	{
		factor = value % 5;    /* race: write factor */
		return factor * value; /* race: read factor */
	}
};

long scale::factor = 1;

int main()
{
	long sum = 0, expected = 0;

#pragma omp parallel for reduction(+ : sum)
	for (long i = 0; i < 300; i++)
		sum += scale::apply(i);
	for (long i = 0; i < 300; i++)
		expected += i % 5 * i;
	return sum != expected;
}
