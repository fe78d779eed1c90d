/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: guards of two std::mutex in opposite orders, by iterations that certain threads get.
 * No run of the plan has both. The fixed one has std::scoped_lock take both.
 */
#include <mutex>
#include <omp.h>

static std::mutex left, right;
static int sum;

static void add()
{
#ifdef FIXED
	std::scoped_lock both(left, right);
#else
	std::lock_guard<std::mutex> outer(left);  // deadlock: mutex left
	std::lock_guard<std::mutex> inner(right); // deadlock: mutex right
#endif
	sum += 1;
}

static void subtract()
{
#ifdef FIXED
	std::scoped_lock both(right, left);
#else
	std::lock_guard<std::mutex> outer(right); // deadlock: mutex right
	std::lock_guard<std::mutex> inner(left);  // deadlock: mutex left
#endif
	sum -= 1;
}

int main()
{
#pragma omp parallel for
	for (int i = 0; i < 64; i++) {
		if (i == 2 && omp_get_thread_num() == 0)
			add();
		if (i == 1 && omp_get_thread_num() == 1)
			subtract();
	}
	return 0;
}
