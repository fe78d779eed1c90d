/* SPDX-License-Identifier: BSD-3-Clause */
/* Templates and a lambda. */
#include <vector>
namespace ns {
template <class T> struct Box {
	std::vector<T> v;
	T sum() const
	{
		T s = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : s)
		for (std::size_t i = 0; i < v.size(); i++)
			s += v[i];
		return s;
	}
};
}
int main()
{
	ns::Box<int> a{{1, 2, 3}};
	ns::Box<double> b{{1, 2, 3}};
	auto f = [&](int x) {
		int r = 0;
#pragma omp parallel
#pragma omp critical
		r += x;
		return r;
	};
	return f(3) + a.sum() + (int)b.sum() > 1000;
}
