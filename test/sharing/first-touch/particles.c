/* SPDX-License-Identifier: BSD-3-Clause */
/* structures: one thread makes particles that loops divide. */
#include <stdio.h>
#include <stdlib.h>

struct particle {
	double x, v, m;
};

int main(void)
{
	const int n = 20000;
	struct particle *particles = malloc(n * sizeof *particles);
	double energy = 0;

#ifdef FIXED
#pragma omp parallel for num_threads(2)
#endif
	for (int i = 0; i < n; i++)
		particles[i] = (struct particle){i, 1, 2}; /* touched: particles */
	for (int step = 0; step < 10; step++) {
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < n; i++)
			particles[i].x += 0.1 * particles[i].v; /* sharing: first particles */
	}
#pragma omp parallel for num_threads(2) reduction(+ : energy)
	for (int i = 0; i < n; i++)
		energy += particles[i].m * particles[i].v; /* sharing: first particles */
	printf("%g %g\n", energy, particles[n - 1].x);
	free(particles);
	return 0;
}
