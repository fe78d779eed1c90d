/* SPDX-License-Identifier: BSD-3-Clause */
/* Members, references and qualified names in the clauses of combined directives. */
#include <cstdio>

enum { N = 64 };

namespace names
{
static int last;
}

template <typename A, typename B> struct Pair {
	A first = 1;
	B second = 2;
};

struct Base {
	int inherited = 3;
};

template <typename T> struct Work : Base, Pair<T, int> {
	T a[N] = {}, value = 4, sum = 0;

	void members()
	{
#pragma omp parallel for firstprivate(value) lastprivate(Work::value)
		for (int i = 0; i < N; i++) {
			if (i < 0)
				a[i] = value;
			value = i;
		}
#pragma omp parallel for default(none) lastprivate(value)
		for (int i = 0; i < N; i++)
			value = i + 1;
#pragma omp parallel for firstprivate(inherited) lastprivate(Base::inherited)
		for (int i = 0; i < N; i++)
			inherited = i;
#pragma omp parallel for simd default(none) reduction(+ : sum)
		for (int i = 0; i < N; i++)
			sum += i;
		std::printf("%d %d %d\n", (int)value, inherited, (int)sum);
	}

	void qualified()
	{
#pragma omp parallel for firstprivate(Pair<T, int>::first) lastprivate(Pair<T, int>::first)
		for (int i = 0; i < N; i++)
			Pair<T, int>::first = i;
		std::printf("%d\n", (int)this->first);
	}

	void references(T &reference)
	{
		int i;

#pragma omp parallel for simd default(none) reduction(+ : reference) lastprivate(names::last)
		for (i = 0; i < N; i++) {
			reference += i;
			names::last = i;
		}
		std::printf("%d %d %d\n", (int)reference, names::last, i);
	}
};

int main()
{
	Work<int> work;
	int total = 0;

	work.members();
	work.qualified();
	work.references(total);
	return 0;
}
