// SPDX-License-Identifier: BSD-3-Clause
// constructor: a vector of values is initialised where it is made; fixed: by an allocator that
// leaves values out.
#include <cstddef>
#include <cstdio>
#include <memory>
#include <vector>

#ifdef FIXED
template <class T> struct without_values : std::allocator<T> {
	template <class U> struct rebind {
		using other = without_values<U>;
	};
	template <class U> void construct(U *)
	{
	}
	template <class U, class... A> void construct(U *to, A... from)
	{
		::new (to) U(from...);
	}
};
using numbers = std::vector<double, without_values<double>>;
#else
using numbers = std::vector<double>;
#endif

int main()
{
	const std::size_t n = 1 << 16;
	numbers u(n); // touched: u

#pragma omp parallel for num_threads(2)
	for (std::size_t i = 0; i < n; i++)
		u[i] = i; // sharing: first u
	for (int step = 0; step < 8; step++) {
#pragma omp parallel for num_threads(2)
		for (std::size_t i = 0; i < n; i++)
			u[i] = u[i] * 0.5 + step; // sharing: first u
	}
	std::printf("%g\n", u[n - 1]);
	return 0;
}
