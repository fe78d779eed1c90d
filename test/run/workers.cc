// SPDX-License-Identifier: BSD-3-Clause
// The program ends while its threads wait for a region, with thread_local objects of theirs that
// use a static object and a lock. Whether their destructors are called is the runtime's to say;
// none may come when the static object is gone, or wait for the lock.
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <omp.h>
#include <unordered_set>

static std::mutex lock;
static std::unordered_set<const void *> seen;

struct Collector {
	int visits = 0;

	~Collector()
	{
		std::lock_guard<std::mutex> guard(lock);
		seen.insert(this);
	}
};

static thread_local Collector collector;

static int visit(bool collects)
{
	int sum = 0;

#pragma omp parallel num_threads(4) reduction(+ : sum)
	{
		if (collects && omp_get_thread_num() != 0)
			collector.visits++;
		sum++;
	}
	return sum;
}

struct Late {
	~Late()
	{
		std::printf("late: %d\n", visit(false));
	}
};

static Late late;

int main()
{
	std::printf("%d\n", visit(true));
	lock.lock();
	std::exit(7);
}
