/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: a std::atomic flag is set before the data that it announces.
 * A store with release orders what comes before it, not what comes behind it
 * (OpenMP 5.2, 1.4.5). In the fixed one the data come first.
 */
#include <atomic>
#include <omp.h>
#include <thread>

int main()
{
	std::atomic<bool> ready{false};
	int data = 0;
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
		if (omp_get_thread_num() == 0) {
#ifdef FIXED
			data = 4;
			ready = true;
#else
			ready = true;
			data = 4; /* race: write data */
#endif
		} else {
			while (!ready)
				std::this_thread::yield();
			wrong += data != 4; /* race: read data */
		}
	}
	return wrong != 0;
}
