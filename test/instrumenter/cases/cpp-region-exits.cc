/* SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <stdexcept>
#include <string>

static std::string leave(int way)
{
#pragma pomp inst begin(guarded)
	std::string result = "a";
	if (way == 1)
		throw std::runtime_error("out");
	if (way == 2)
		return result + "b";
	result += "c";
#pragma pomp inst end(guarded)
	return result;
}

int main()
{
#pragma omp parallel num_threads(2)
	{
#pragma pomp inst begin(in parallel)
#pragma omp critical
		std::printf("x\n");
#pragma pomp inst end(in parallel)
	}
	for (int way = 0; way < 3; way++)
		try {
			std::puts(leave(way).c_str());
		} catch (const std::exception &exception) {
			std::puts(exception.what());
		}
	return 0;
}
