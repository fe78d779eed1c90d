/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: the threads of a team write into one std::ostringstream.
 * Only the standard streams of C++ may be used by several threads at once; others are objects as
 * any (OpenMP 5.2, 1.4.1). In the fixed one each thread has a stream.
 */
#include <sstream>

int main()
{
	long length = 0;
#ifndef FIXED
	std::ostringstream text(std::string(256, ' '));
#endif

#pragma omp parallel reduction(+ : length)
	{
#ifdef FIXED
		std::ostringstream text;
#endif
#pragma omp for
		for (int i = 0; i < 100; i++)
			text << i % 10; /* race: write text */
#ifdef FIXED
		length += text.tellp();
#endif
	}
#ifndef FIXED
	length = text.tellp();
#endif
	return length != 100;
}
