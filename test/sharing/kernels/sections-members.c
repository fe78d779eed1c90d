/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * struct: two members of one structure, each written by one of two sections.
 */
enum { STEPS = 64000000 };

static struct {
	volatile long produced;
#ifdef FIXED
	char apart[128];
#endif
	volatile long consumed;
} totals;
static _Alignas(64) int weights[256]; /* in lines of its own */

static void produce(void)
{
	for (int i = 0; i < STEPS; i++) {
		if (weights[i & 255])
			totals.produced++; /* sharing: false totals */
	}
}

static void consume(void)
{
	for (int i = 0; i < STEPS; i++) {
		if (weights[i & 255])
			totals.consumed++; /* sharing: false totals */
	}
}

int main(void)
{
	for (int i = 0; i < 256; i++)
		weights[i] = i != 17;
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		produce();
#pragma omp section
		consume();
	}
	return totals.produced != totals.consumed;
}
