/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * data: the address of a private copy is used after the region that has made it.
 */
static int *kept;

int main(void)
{
	int state = 0; /* memory: declared */

#ifdef FIXED
#pragma omp parallel num_threads(2) shared(state)
#else
#pragma omp parallel num_threads(2) firstprivate(state)
#endif
#pragma omp single
	{
		state = 0;
		kept = &state;
	}
	return *kept; /* memory: read */
}
