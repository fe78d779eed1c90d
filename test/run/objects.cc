/* SPDX-License-Identifier: BSD-3-Clause */
/* C++: templates, lambdas, member functions, exceptions, iterators, range-for, tasks. */
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

template <typename T> class Field
{
public:
	explicit Field(std::size_t size) : values(size)
	{
	}

	template <typename F> void fill(F function)
	{
#pragma omp parallel for schedule(dynamic, 4)
		for (std::size_t i = 0; i < values.size(); i++)
			values[i] = function(i);
	}

	T sum() const
	{
		T total{};

#pragma omp parallel for reduction(+ : total)
		for (auto it = values.begin(); it < values.end(); ++it)
			total += *it;
		return total;
	}

	int caught() const
	{
		int count = 0;

#pragma omp parallel for reduction(+ : count)
		for (int i = 0; i < 20; i++) {
			try {
#pragma omp critical(thrower)
				{
					try {
						if (i % 3 == 0)
							throw std::runtime_error("third");
					} catch (const std::runtime_error &) {
						count++;
					}
				}
				if (i % 5 == 0)
					throw i;
			} catch (int) {
				count++;
			}
		}
		return count;
	}

private:
	std::vector<T> values;
};

static void sort(std::vector<int> &v, int low, int high)
{
	if (high - low < 16) {
		std::sort(v.begin() + low, v.begin() + high);
		return;
	}
	int pivot = v[(low + high) / 2], middle;
	auto part =
	    std::partition(v.begin() + low, v.begin() + high, [=](int e) { return e < pivot; });
	middle = static_cast<int>(part - v.begin());
	if (middle == low)
		middle = low + 1, std::iter_swap(v.begin() + low,
				      std::min_element(v.begin() + low, v.begin() + high));
#pragma omp task shared(v) firstprivate(low, middle)
	sort(v, low, middle);
#pragma omp task shared(v)
	sort(v, middle, high);
#pragma omp taskwait
}

int main()
{
	Field<long> field(1000);
	std::vector<int> v(3000);
	std::string words;

	field.fill([](std::size_t i) { return static_cast<long>(i * i); });
	for (std::size_t i = 0; i < v.size(); i++)
		v[i] = static_cast<int>(i * 7919 % 3001);
#pragma omp parallel
#pragma omp single nowait
	sort(v, 0, static_cast<int>(v.size()));
	auto work = [&words](const char *text) {
#pragma omp parallel
#pragma omp single
		{
			for (const char *c : {text, "+"})
				words += c;
		}
	};
	work("a");
	work("b");
	std::printf("%ld %d %d %s\n", field.sum(), field.caught(),
	    std::is_sorted(v.begin(), v.end()), words.c_str());
	return 0;
}
