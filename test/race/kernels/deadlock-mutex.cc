/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: guards of two std::mutex in opposite orders.
 * The fixed one has std::lock() take both, which gives the first one back if the second is not
 * free.
 */
#include <mutex>
#include <omp.h>

static std::mutex left, right;
static int sum;

int main()
{
#pragma omp parallel
	{
		if (omp_get_thread_num() % 2 == 0) {
#ifdef FIXED
			std::lock(left, right);
			std::lock_guard<std::mutex> outer(left, std::adopt_lock);
			std::lock_guard<std::mutex> inner(right, std::adopt_lock);
#else
			std::lock_guard<std::mutex> outer(left);  // deadlock: mutex left
			std::lock_guard<std::mutex> inner(right); // deadlock: mutex right
#endif
			sum += 1;
		} else {
#ifdef FIXED
			std::lock(right, left);
			std::lock_guard<std::mutex> outer(right, std::adopt_lock);
			std::lock_guard<std::mutex> inner(left, std::adopt_lock);
#else
			std::lock_guard<std::mutex> outer(right); // deadlock: mutex right
			std::lock_guard<std::mutex> inner(left);  // deadlock: mutex left
#endif
			sum -= 1;
		}
	}
	return 0;
}
