/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: scratch buffers that are chosen by the iteration, one for two of them.
 * The two are concurrent even if one thread usually executes both. The fixed one chooses by the
 * thread's number.
 */
#include <omp.h>

enum { N = 960, WIDTH = 8, MOST = 512 };

static int buffers[MOST][WIDTH], result[N];

int main(void)
{
	int wrong = 0;

#pragma omp parallel for
	for (int i = 0; i < N; i++) {
#ifdef FIXED
		int *buffer = buffers[omp_get_thread_num()];
#else
		int *buffer = buffers[i / 2];
#endif
		for (int j = 0; j < WIDTH; j++)
			buffer[j] = i + j; /* race: write buffer */
		result[i] = 0;
		for (int j = 0; j < WIDTH; j++)
			result[i] += buffer[j]; /* race: read buffer */
	}
	for (int i = 0; i < N; i++)
		wrong += result[i] != WIDTH * i + WIDTH * (WIDTH - 1) / 2;
	return wrong != 0;
}
