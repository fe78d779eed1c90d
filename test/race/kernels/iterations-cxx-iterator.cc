/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: a loop over iterators, in which one object is also changed by its neighbour.
 * The fixed one changes its own only.
 */
#include <string>
#include <vector>

struct Item {
	std::string name;
	int visits;
};

int main()
{
	std::vector<Item> items(500, Item{"item", 0});
	const auto begin = items.begin();
	int wrong = 0;

#pragma omp parallel for
	for (auto item = begin; item < items.end(); ++item) {
		item->visits++; /* race: write visits */
#ifndef FIXED
		if (item - begin == 260)
			(item + 1)->visits++; /* race: write visits */
#endif
	}
	for (const Item &item : items)
		wrong += item.visits < 1;
	return wrong != 0;
}
