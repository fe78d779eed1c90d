// SPDX-License-Identifier: BSD-3-Clause
// Functions of C++: members, templates, exceptions, and what the compiler has to evaluate.
#include <cstdio>
#include <stdexcept>
#include <vector>

constexpr int evaluated(int x) { return x + 1; }
static_assert(evaluated(1) == 2, "");

namespace N {
namespace {
int hidden(int x) { return x; }
}

class C {
public:
	C() : a{1}, b(2) { if (a > b) return; a++; }
	explicit C(int x) try : a(positive(x)) { b = a; } catch (const std::exception &) { throw; }
	~C() { b = 0; }
	int quiet() const { return a; }
	int outside() const;
	explicit operator int() const { return a; }
	C &operator+=(int x) { a += x; return *this; }
	C(const C &) = default;
	static int positive(int x)
	{
		if (x < 0)
			throw std::invalid_argument("negative");
		return x;
	}

private:
	int a, b = 3;
};

int C::outside() const
{
	struct Local {
		int member(int x) const { return x + 1; }
	};
	return Local().member(a);
}

int overloaded(int x) { return x; }
int overloaded(double x) { return x > 0; }
int overloaded(const char *x) { return *x; }
}

template <typename T> static T twice(T x)
{
	return x + x;
}

template <> int twice(int x) { return x + x + 0; }

auto deduced(int x) -> decltype(x + 1) { return x + 1; }
auto guessed(int x) { return x + 1L; }

static int throws(int depth)
{
	if (depth == 0)
		throw depth;
	return throws(depth - 1);
}

extern "C" int c_linkage(int x) noexcept { return x; }

int main()
{
	int sum = 0;
	N::C c, d(4);
	std::vector<int> values{1, 2, 3};

	try {
		N::C e(-1);
	} catch (const std::invalid_argument &) {
		sum++;
	}
	try {
		throws(3);
	} catch (int) {
		sum++;
	}
	c += 2;
	sum += c.quiet() + c.outside() + static_cast<int>(d) + N::hidden(1);
	sum += N::overloaded(1) + N::overloaded(1.0) + N::overloaded("a");
	sum += twice(1) + static_cast<int>(twice(1.5)) + deduced(1) + static_cast<int>(guessed(1));
	auto lambda = [&sum](int x) { return sum + x; };
	sum = lambda(c_linkage(1));
#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 3; i++)
		sum += twice(values[i]);
	std::printf("%d\n", sum);
}
