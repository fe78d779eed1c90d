/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: a lock is set within a critical construct, and the construct is entered with the lock.
 * Both exclude other threads until their ends (OpenMP 5.2, 15.2 and 18.9). The fixed one unsets the
 * lock before.
 */
#include <omp.h>

static omp_lock_t file;
static int lines, errors;

int main(void)
{
	omp_init_lock(&file);
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0) {
#pragma omp critical /* deadlock: critical without a name */
			{
				omp_set_lock(&file); /* deadlock: lock file */
				lines++;
				omp_unset_lock(&file);
			}
		} else {
			omp_set_lock(&file); /* deadlock: lock file */
			lines++;
#ifdef FIXED
			omp_unset_lock(&file);
#pragma omp critical
			errors++;
#else
#pragma omp critical /* deadlock: critical without a name */
			errors++;
			omp_unset_lock(&file);
#endif
		}
	}
	omp_destroy_lock(&file);
	return 0;
}
