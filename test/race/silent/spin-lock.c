/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: a ticket lock and a test-and-set lock of atomics with memory orders.
 * The release write of the holder and the acquire read of the next one order what both protect.
 */
#include <sched.h>

static int next_ticket, serving, is_taken;

static void ticket_lock(void)
{
	int mine, now;

#pragma omp atomic capture
	mine = next_ticket++;
	do {
#pragma omp atomic read acquire
		now = serving;
		if (now != mine)
			sched_yield();
	} while (now != mine);
}

static void ticket_unlock(void)
{
#pragma omp atomic update release
	serving++;
}

static void flag_lock(void)
{
	int before;

	do {
#pragma omp atomic capture acquire
		{
			before = is_taken;
			is_taken = 1;
		}
		if (before)
			sched_yield();
	} while (before);
}

static void flag_unlock(void)
{
#pragma omp atomic write release
	is_taken = 0;
}

int main(void)
{
	int first = 0, second = 0;

#pragma omp parallel for schedule(static, 1)
	for (int i = 0; i < 200; i++) {
		ticket_lock();
		first += i;
		ticket_unlock();
		flag_lock();
		second += 2 * i;
		flag_unlock();
	}
	return first != 19900 || second != 39800;
}
