/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: a lambda that captures by reference is called by all threads.
 * The captured counter is one object, whichever thread calls (OpenMP 5.2, 5.1.2). The fixed lambda
 * returns what each thread adds to its own copy.
 */
int main()
{
	int odd = 0;

#ifdef FIXED
	auto look = [](int i) { return i % 2; };
#pragma omp parallel for reduction(+ : odd)
	for (int i = 0; i < 500; i++)
		odd += look(i);
#else
	auto look = [&odd](int i) {
		if (i % 2)
			odd++; /* race: write odd */
	};
#pragma omp parallel for
	for (int i = 0; i < 500; i++)
		look(i);
#endif
	return odd != 250;
}
