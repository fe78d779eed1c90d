/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teams: the teams of a league change a list under a lock.
 * Locks are for the tasks of one contention group (OpenMP 5.2, 18.9), and each team is another one.
 * In the fixed program only the threads of one team use the lock and the list.
 */
#include <omp.h>

static omp_lock_t lock;
static int list[64], length;

static void append(int item)
{
	omp_set_lock(&lock);
	list[length] = item; /* race: write list */ /* race: read length */
	length++;                                   /* race: write length */
	omp_unset_lock(&lock);
}

int main(void)
{
	omp_init_lock(&lock);
#pragma omp teams num_teams(3)
	{
#ifdef FIXED
		if (omp_get_team_num() == 1) {
#pragma omp parallel num_threads(4)
			append(omp_get_thread_num());
		}
#else
		append(omp_get_team_num());
#endif
	}
	omp_destroy_lock(&lock);
	return length < 1;
}
