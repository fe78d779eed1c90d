/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: loops in templates, lambdas and members, over iterators and containers.
 * Objects on the heap that an iteration makes and destroys are its own, whichever thread executes
 * it.
 */
#include <map>
#include <memory>
#include <string>
#include <vector>

template <typename Value> static void scale(std::vector<Value> &values, Value by)
{
#pragma omp parallel for
	for (auto at = values.begin(); at < values.end(); ++at)
		*at *= by;
}

struct Summary {
	std::vector<std::string> lines;
	explicit Summary(int count) : lines(count)
	{
	}
	void fill()
	{
#pragma omp parallel for
		for (std::size_t i = 0; i < lines.size(); i++) {
			std::map<int, std::string> words;
			auto owned = std::make_unique<std::string>(std::to_string(i));

			words[1] = *owned;
			words[2] = std::string(20, 'x');
			lines[i] = words[1] + words[2];
		}
	}
};

int main()
{
	std::vector<double> values(400, 2.0);
	std::vector<std::string> texts(300);
	Summary summary(250);
	int wrong = 0;

	scale(values, 1.5);
	auto label = [&texts](std::string prefix) {
#pragma omp parallel for firstprivate(prefix)
		for (int i = 0; i < 300; i++) {
			prefix.back() = static_cast<char>('a' + i % 26);
			texts[i] = prefix;
		}
	};
	label("a long text that is not within the object .");
	summary.fill();
#pragma omp parallel for reduction(+ : wrong)
	for (int i = 0; i < 250; i++)
		wrong += values[i] != 3.0 || summary.lines[i].size() < 21 || texts[i].size() != 43;
	return wrong != 0;
}
