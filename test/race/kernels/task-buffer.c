/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * task: tasks get the address of a buffer that is filled anew for the next one.
 * firstprivate copies the pointer only (OpenMP 5.2, 5.4.4). The fixed tasks have the buffer itself
 * firstprivate.
 */
enum { LENGTH = 16 };

static void add_to(int *total, const int *values)
{
	for (int i = 0; i < LENGTH; i++) {
#pragma omp atomic
		*total += values[i]; /* race: read buffer */
	}
}

int main(void)
{
	int total = 0;

#pragma omp parallel
#pragma omp single
	{
		int buffer[LENGTH];
#ifndef FIXED
		int *filled = buffer;
#endif

		for (int message = 0; message < 10; message++) {
			for (int i = 0; i < LENGTH; i++)
				buffer[i] = message; /* race: write buffer */
#ifdef FIXED
#pragma omp task firstprivate(buffer) shared(total)
			add_to(&total, buffer);
#else
#pragma omp task firstprivate(filled) shared(total)
			add_to(&total, filled);
#endif
		}
#pragma omp taskwait
	}
	return total != 45 * LENGTH;
}
