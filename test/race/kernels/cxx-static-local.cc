/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: a static object of a function is initialized safely, but used by all threads.
 * C++ protects the initialization only; the object has static storage and is shared (OpenMP 5.2,
 * 5.1.2). The fixed function has an object for each call.
 */
#include <string>

static std::size_t length_of(int number)
{
#ifdef FIXED
	std::string text;
#else
	static std::string text(20, ' ');
#endif
	text.clear(); /* race: write text */
	for (; number > 0; number /= 10)
		text.push_back(static_cast<char>('0' + number % 10)); /* race: write text */
	return text.size();                                           /* race: read text */
}

int main()
{
	std::size_t sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int i = 1; i < 100; i++)
		sum += length_of(i);
	return sum != 189;
}
