/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals that interrupt every wait of the runtime thousands of times a second change nothing: no
 * wait returns early, none is lost. The handler reads what OpenMP allows it to, thread-local data.
 */
#include <errno.h>
#include <omp.h>
#include <signal.h>
#include <sys/time.h>

#include "check.h"

static int caught; /* atomic */
static int asked;  /* atomic */

static void handler(int number)
{
	int saved = errno;

	(void)number;
	if (omp_get_thread_num() >= 0 && omp_get_num_threads() >= 1)
		count(&asked);
	count(&caught);
	errno = saved;
}

static void waits(int threads)
{
	int arrived = 0;
	int plain = 0;
	int next = 0;
	int tasks = 0;

#pragma omp parallel num_threads(threads)
	for (int round = 1; round <= 20; round++) {
		if (omp_get_thread_num() == round % threads)
			dawdle(20000);
		count(&arrived);
#pragma omp barrier
		CHECK_EQUAL(__atomic_load_n(&arrived, __ATOMIC_RELAXED), round * threads);
#pragma omp critical
		{
			dawdle(200);
			plain++;
		}
#pragma omp for ordered schedule(dynamic)
		for (int i = 0; i < 10; i++) {
#pragma omp ordered
			{
				CHECK_EQUAL(next % 10, i);
				next++;
			}
		}
#pragma omp single
		for (int i = 0; i < 10; i++) {
#pragma omp task
			count(&tasks);
		}
	}
	CHECK_EQUAL(plain, 20 * threads);
	CHECK_EQUAL(next, 200);
	CHECK_EQUAL(tasks, 200);
}

int main(void)
{
	struct sigaction action = {.sa_handler = handler}; /* no SA_RESTART: waits see EINTR */
	struct itimerval often = {{0, 200}, {0, 200}};
	struct itimerval never = {{0, 0}, {0, 0}};

	omp_set_dynamic(0);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 10; i++)
		waits(1 + i % 5);
	setitimer(ITIMER_REAL, &never, NULL);
	CHECK(caught > 0);
	CHECK_EQUAL(asked, caught);
	return check_result();
}
