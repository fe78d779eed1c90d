/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

static int a[32];

sta work(void)
{p for
	for (int i = 0; i < 32; i++)
		a[i]++;
#pragma omp single
	a[0]++;
#pragma omp barrier
#pragma omp sections
	{
		a[1]++;
	}
#pragma omp master
	a[2]++;
}

int map single
	a[0]++;
#pragma omp barrier
#pragma omp sections
	{
		a[1]++;
	}
#pragma omp master
	a[2]++;
}

i instrumented is left as it is, with a reason; the rest of the file is not. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	int x = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
#pragma omp simd
	for (int i = 0; i < 4; i++) {
#pragma pomp inst begin(in simd)
		x += i;
#pragma pomp inst end(in simd)
	}
#pragma omp target if(0)
	{
	nt main(void)
{
	work();
#pragma omp parallel
	work();
	printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
	retuse
		x = 12;
#pragma omp parallel num_threads(1)
	while (x èèèèèèètic void work(void)
{
#pragma omp for
	for (int i = 0; i < 32; i++)
		a[i]++;
#pragma om void work(void)
{p for
	for (int i = 0; i < 32; i++)
		a[i]++;
#pragma omp single
	a[0]++;
#pragma omp barrier
#pragma omp sections
	{
		a[1]++;
	}
#pragma omp master
	a[2]++;
}

int map single
	a[0]++;
#pragma om‡ßbarrier
#pragma omp sections
	{
		a[1]++;
	}
#pragma omp master
	a[2]++;
}

int main(void)
{
	work();
#pragma omp parallel
	work();
	printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
	retuse
		ÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖÖx = 12;
#pragma omp parallel num_threads(1)
	while (x èèèèèèèèèèèèèèèèèèèèèèèèè< 20)
		for (int i = 0; i < 2; i++)
			x++rn 0;
}
