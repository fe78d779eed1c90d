/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suite: a linear regression whose threads add to sums in an array of arguments, as in Phoenix's. A
 * thread's arguments are 64 bytes, but the array does not begin at a line: what one thread writes
 * is beside the next one's.
 */
#include <omp.h>
#include <stdlib.h>

struct point {
	signed char x, y;
};

struct arguments {
	const struct point *points;
	long count;
	volatile long long sx, sy, sxx, syy, sxy;
#ifdef FIXED
	char apart[128];
#else
	long unused;
#endif
};

enum { POINTS = 1 << 15, ROUNDS = 960, THREADS = 16 };

static void sum_up(struct arguments *of)
{
	for (long i = 0; i < of->count; i++) {                /* sharing: false of */
		of->sx += of->points[i].x;                    /* sharing: false of */
		of->sxx += of->points[i].x * of->points[i].x; /* sharing: false of */
		of->sy += of->points[i].y;                    /* sharing: false of */
		of->syy += of->points[i].y * of->points[i].y; /* sharing: false of */
		of->sxy += of->points[i].x * of->points[i].y; /* sharing: false of */
	}
}

int main(void)
{
	struct point *points = malloc(POINTS * sizeof *points);
	char *memory = aligned_alloc(64, sizeof(struct arguments) * THREADS + 64);
	struct arguments *all = (struct arguments *)(void *)(memory + 32);
	long long sum = 0;
	int threads = 0;

	for (int i = 0; i < POINTS; i++)
		points[i] = (struct point){(signed char)(i % 100), (signed char)(i % 50)};
#pragma omp parallel
	{
		int me = omp_get_thread_num(), share = POINTS / omp_get_num_threads();

#pragma omp single
		threads = omp_get_num_threads();
		if (me < THREADS) {
			all[me] = (struct arguments){.points = points + me * share, .count = share};
			for (int round = 0; round < ROUNDS; round++)
				sum_up(&all[me]);
		}
	}
	for (int thread = 0; thread < threads && thread < THREADS; thread++)
		sum += all[thread].sx;
	free(memory);
	free(points);
	return sum == 0;
}
