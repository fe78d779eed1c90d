/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program whose threads wait for what its input releases: first for thread 0's lock, after a line
 * at a barrier, after another one it ends.
 */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	omp_lock_t lock;
	char line[16];

	omp_init_lock(&lock);
#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == 0)
			omp_set_lock(&lock);
#pragma omp barrier
		if (omp_get_thread_num() != 0)
			omp_set_lock(&lock);
		else if (fgets(line, sizeof line, stdin) == NULL)
			perror("the first line");
		omp_unset_lock(&lock);
		if (omp_get_thread_num() == 0 && fgets(line, sizeof line, stdin) == NULL)
			perror("the second line");
#pragma omp barrier
	}
	return 0;
}
