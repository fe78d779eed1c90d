// SPDX-License-Identifier: BSD-3-Clause
// deadlock: threads take two mutexes of a shared object in opposite orders.
// In the fixed one each has an object of its own each time, at an address that others had before.
#include <mutex>
#include <omp.h>

struct pair {
	std::mutex left, right;
	int value = 0;
};

static void use(pair *object, bool forth)
{
	std::mutex &first = forth ? object->left : object->right;
	std::mutex &second = forth ? object->right : object->left;
	std::lock_guard<std::mutex> outer(first);  // deadlock: mutex first
	std::lock_guard<std::mutex> inner(second); // deadlock: mutex second
	object->value++;
}

static pair *last;

int main()
{
	pair *shared = new pair;

#pragma omp parallel num_threads(4)
	for (int i = 0; i < 40; i++) {
#ifdef FIXED
		// What one thread frees is soon another one's.
		pair *own = new pair, *old;
		use(own, (omp_get_thread_num() + i) % 2 == 0);
#pragma omp critical
		{
			old = last;
			last = own;
		}
		delete old;
#else
		use(shared, (omp_get_thread_num() + i) % 2 == 0);
#endif
	}
	delete last;
	delete shared;
	return 0;
}
