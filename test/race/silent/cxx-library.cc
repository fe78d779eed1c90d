/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: what C++ allows to several threads at once: static objects that the first call initializes,
 * std::call_once, copies of a std::shared_ptr, std::cout, const look-ups, exceptions, std::atomic.
 */
#include <atomic>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

static const std::map<int, std::string> &names()
{
	static const std::map<int, std::string> table = {{0, "zero"}, {1, "one"}, {2, "two"}};

	return table;
}

static std::size_t length_of(int number)
{
	try {
		return names().at(number).size();
	} catch (const std::out_of_range &) {
		return 1;
	}
}

int main()
{
	auto common = std::make_shared<const std::string>("shared");
	std::atomic<int> calls{0};
	std::once_flag once;
	int prepared = 0;
	std::size_t length = 0;

#pragma omp parallel for reduction(+ : length) firstprivate(common)
	for (int i = 0; i < 120; i++) {
		std::call_once(once, [&prepared] { prepared = 5; });
		auto copy = common;
		length += length_of(i % 4) + copy->size() + static_cast<std::size_t>(prepared);
		if (calls++ % 40 == 0)
			std::cout << ".";
	}
	std::cout << "\n";
	return length != 120 * 11 + 30 * 11 || calls != 120;
}
