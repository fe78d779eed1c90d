/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: threads share a structure; one of its members has an element for each of them, the
 * other one has not.
 * The members of a shared structure are shared (OpenMP 5.2, 5.1). The fixed one counts in the
 * element of the thread only, and adds up after the region, whose end is a barrier.
 */
#include <omp.h>

struct statistics {
	long calls;
	long by_thread[16];
};

int main(void)
{
	struct statistics statistics = {0};
	long sum = 0;

#pragma omp parallel for num_threads(4)
	for (int i = 0; i < 400; i++) {
		statistics.by_thread[omp_get_thread_num()]++;
#ifndef FIXED
		statistics.calls++; /* race: write calls */
#endif
	}
	for (int i = 0; i < 16; i++)
		sum += statistics.by_thread[i];
#ifdef FIXED
	statistics.calls = sum;
#endif
	return sum != 400 || statistics.calls != 400;
}
