// SPDX-License-Identifier: BSD-3-Clause
// Functions that `auto` among their parameters makes templates, which C++20 has.
#include <cstdio>

template <class T>
concept Number = requires(T a) { a + 1; };

auto sum(auto n)
{
	int total = 0;
#pragma omp parallel for reduction(+ : total)
	for (int i = 0; i < n; i++)
		total += i;
	return total;
}

inline void add(Number auto n, int &total)
{
#pragma omp parallel
	{
#pragma omp single
		total += n;
	}
}

template <class T> T mixed(T a, auto n)
{
#pragma omp parallel num_threads(2)
#pragma omp critical
	a += n;
	return a;
}

constexpr auto evaluated(auto n) { return n + 1; }
static_assert(evaluated(1) == 2);

namespace N {
struct C {
	int m(const auto &x) const
	{
		int total = 0;
#pragma omp parallel reduction(+ : total)
#pragma omp master
		total += x;
		return total;
	}
	static long all(auto... n)
	{
		long total = 0;
#pragma omp parallel sections
		{
			total = (0 + ... + n);
		}
		return total;
	}
};

auto outer(auto n)
{
	return [](auto k) {
		int total = 0;
#pragma omp parallel for reduction(+ : total)
		for (int i = 0; i < 10; i++)
			total += k;
		return total;
	}(n);
}
}

int main()
{
	int total = 0;

	add(4, total);
	std::printf("%d %d %d\n", sum(10), total, mixed(1, 2));
	std::printf("%d %ld %d\n", N::C().m(5), N::C::all(1, 2, 3L), N::outer(3));
	return 0;
}
