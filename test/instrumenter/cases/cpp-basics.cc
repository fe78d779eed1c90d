/* SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <stdexcept>
#include <vector>
#include <omp.h>

namespace numbers {

template <typename T> T sum(const std::vector<T> &values)
{
	T total{};

#pragma omp parallel for reduction(+:total) default(none) shared(values)
	for (std::size_t i = 0; i < values.size(); ++i)
		total += values[i];
	return total;
}

class Counter {
public:
	void count()
	{
#pragma omp parallel
		{
#pragma omp critical (Counter)
			member_ += 1;
#pragma omp for nowait
			for (auto it = values_.begin(); it < values_.end(); ++it)
				*it += 1;
		}
	}

	int result() const
	{
		int r = 0;
#pragma omp parallel
		try {
#pragma omp single
			{
				r = values_[0];
			}
		} catch (const std::exception &) {
			std::puts("caught");
		}
		return r;
	}

	int member_ = 0;

private:
	std::vector<int> values_ = std::vector<int>(10, 1'0);
};

} // namespace numbers

static const char *const raw = R"x(
#pragma omp parallel
)" { ( )x";

int main()
{
	std::vector<double> values(100, 0.5);
	numbers::Counter counter;
	int locked = 0;

	std::printf("%g %d\n", numbers::sum(values), numbers::sum(std::vector<int>{1, 2, 3}));
	counter.count();
	std::printf("%d %d\n", counter.member_ == omp_get_max_threads(), counter.result());
#pragma omp parallel for
	for (auto &value : values)
		value = 1;
	auto lambda = [&values](int n) {
		int found = 0;
#pragma omp parallel for reduction(+:found)
		for (int i = 0; i < n; i++)
			found += values[i] > 0;
		return found;
	};
	std::printf("%d\n", lambda(50));
#pragma omp parallel
	[&] {
#pragma omp atomic
		locked++;
	}();
	omp_lock_t lock;
	::omp_init_lock(&lock);
#pragma omp parallel
	{
		omp_set_lock(&lock);
		try {
			locked++;
			throw std::runtime_error("inside");
		} catch (const std::runtime_error &) {
		}
		::omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	std::printf("%d %zu\n", locked == 2 * omp_get_max_threads(), sizeof(char) + (raw[0] != 10));
	return 0;
}
