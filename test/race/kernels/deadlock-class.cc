/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: objects with a lock each, whose member function also takes another object's.
 * merge(a, b) and merge(b, a) take them in opposite orders. The fixed one compares the addresses.
 */
#include <functional>
#include <omp.h>

class heap
{
	omp_lock_t lock;
	int size = 1;

public:
	heap()
	{
		omp_init_lock(&lock);
	}

	~heap()
	{
		omp_destroy_lock(&lock);
	}

	void merge(heap &other)
	{
#ifdef FIXED
		if (std::less<heap *>()(&other, this)) {
			other.merge(*this);
			return;
		}
#endif
		omp_set_lock(&lock);       // deadlock: lock lock
		omp_set_lock(&other.lock); // deadlock: lock other.lock
		size += other.size;
		other.size = size;
		omp_unset_lock(&other.lock);
		omp_unset_lock(&lock);
	}
};

int main()
{
	heap *heaps = new heap[2];

#pragma omp parallel for num_threads(2) schedule(static)
	for (int i = 0; i < 2; i++)
		heaps[i].merge(heaps[1 - i]);
	delete[] heaps;
	return 0;
}
