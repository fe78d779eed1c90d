/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs in C++ that hang in waits of OpenMP and of its library together: each thread 1 waits for
 * a lock of thread 2, which waits for what only thread 1 could do. See mixed.py.
 */
#include <future>
#include <mutex>

#include <omp.h>

#include "scenes.h"

static omp_lock_t lock;
static std::promise<int> promise;
static std::once_flag once;

static void set_lock()
{
	omp_set_lock(&lock);
}

static int value_after_lock()
{
	set_lock();
	return 1;
}

static int initialised()
{
	static const int value = value_after_lock();
	return value;
}

/* Thread 2 has the lock when thread 1 begins, and waits when that has begun. */
template <typename Begin, typename Wait> static void play(Begin begin, Wait wait)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1)
			omp_set_lock(&lock);
#pragma omp barrier
		if (omp_get_thread_num() == 0) {
			begin();
		} else {
			let_others();
			wait();
		}
	}
}

static void future_and_lock()
{
	play(
	    [] {
		    set_lock();
		    promise.set_value(1);
	    },
	    [] { promise.get_future().get(); });
}

static void once_and_lock()
{
	play([] { std::call_once(once, set_lock); }, [] { std::call_once(once, set_lock); });
}

static void static_and_lock()
{
	play(initialised, initialised);
}

static void future_for_a_while()
{
	play(set_lock, [] { promise.get_future().wait_for(std::chrono::seconds(1000)); });
}

const struct scene scenes[] = {{"future-and-lock", future_and_lock},
    {"once-and-lock", once_and_lock}, {"static-and-lock", static_and_lock},
    {"future-for-a-while", future_for_a_while}, {nullptr, nullptr}};
