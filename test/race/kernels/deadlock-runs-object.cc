/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: members of two objects on main's stack lock their own mutex and the other's.
 * Which is first depends on which thread gets an iteration; no run of the plan has both orders. The
 * fixed one locks one at a time.
 */
#include <mutex>
#include <omp.h>

class Basket
{
	std::mutex mutex;
	int apples = 10;

public:
	void take_from(Basket &other)
	{
#ifdef FIXED
		{
			std::lock_guard<std::mutex> theirs(other.mutex);
			other.apples--;
		}
		std::lock_guard<std::mutex> own(mutex);
#else
		std::lock_guard<std::mutex> own(mutex);          // deadlock: mutex mutex
		std::lock_guard<std::mutex> theirs(other.mutex); // deadlock: mutex other.mutex
		other.apples--;
#endif
		apples++;
	}
};

int main()
{
	Basket left, right;

#pragma omp parallel for shared(left, right)
	for (int i = 0; i < 64; i++) {
		if (i == 2 && omp_get_thread_num() == 0)
			left.take_from(right);
		if (i == 1 && omp_get_thread_num() == 1)
			right.take_from(left);
	}
	return 0;
}
