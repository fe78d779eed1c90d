// SPDX-License-Identifier: BSD-3-Clause
//
// cxx: objects of a class, one for each thread, beside each other in an array. Their member
// functions change members.
//
#include <omp.h>

namespace
{
class
#ifdef FIXED
    alignas(128)
#endif
	Worker
{
public:
	void observe(int value)
	{
		if (value > highest_) // sharing: false workers
			highest_ = value;
		seen_ += value & 1; // sharing: false workers
	}
	long seen() const
	{
		return seen_;
	}

private:
	volatile int highest_ = 0;
	volatile long seen_ = 0;
};

Worker workers[64];
} // namespace

int main()
{
	constexpr int values = 4000000;
	long all = 0;

#pragma omp parallel for
	for (int i = 0; i < values; i++)
		workers[omp_get_thread_num()].observe(i);
	for (const Worker &worker : workers)
		all += worker.seen();
	return all != values / 2;
}
