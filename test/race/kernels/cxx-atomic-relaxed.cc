/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: a pointer to a new object is published by a relaxed store.
 * Who loads the pointer relaxed is not ordered behind the object's initialization
 * (OpenMP 5.2, 1.4.5). The fixed one stores with release and loads with acquire.
 */
#include <atomic>
#include <memory>
#include <omp.h>
#include <thread>

#ifdef FIXED
static const auto store_order = std::memory_order_release, load_order = std::memory_order_acquire;
#else
static const auto store_order = std::memory_order_relaxed, load_order = std::memory_order_relaxed;
#endif

struct settings {
	int width, height;
};

int main()
{
	auto mine = std::make_unique<settings>();
	std::atomic<settings *> published{nullptr};
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	if (omp_get_thread_num() == 0) {
		mine->width = 30; /* race: write width */
		mine->height = 20;
		published.store(mine.get(), store_order);
	} else {
		settings *seen;

		while ((seen = published.load(load_order)) == nullptr)
			std::this_thread::yield();
		wrong += seen->width != 30; /* race: read width */
	}
	return wrong != 0;
}
