/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: copies of a std::shared_ptr in all threads lead to one object, which they change.
 * The count of references is protected, the object is not (OpenMP 5.2, 1.4.1). In the fixed one
 * each thread makes a copy of the object.
 */
#include <memory>
#include <vector>

int main()
{
	auto common = std::make_shared<std::vector<int>>(4, 0);
	int sum = 0;

#pragma omp parallel for schedule(static, 1) firstprivate(common) reduction(+ : sum)
	for (int i = 0; i < 2000; i++) {
#ifdef FIXED
		auto mine = std::make_shared<std::vector<int>>(*common);
#else
		auto mine = common;
#endif
		(*mine)[i % 4] = i;    /* race: write vector */
		sum += (*mine)[i % 4]; /* race: read vector */
	}
	return sum != 1999000;
}
