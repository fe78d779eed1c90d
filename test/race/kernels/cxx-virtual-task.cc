/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: tasks call a virtual function of shapes, one of which keeps the last area in a common
 * object. Which function a call reaches does not change what its variables are (OpenMP 5.2, 5.1.2).
 * The fixed one writes the common object atomically.
 */
#include <memory>
#include <vector>

struct shape {
	virtual ~shape() = default;
	virtual int area() const = 0;
};

static int largest_seen;

struct square : shape {
	explicit square(int side) : side(side)
	{
	}
	int area() const override
	{
#ifdef FIXED
#pragma omp atomic write
#endif
		largest_seen = side * side; /* race: write largest_seen */
		return side * side;
	}
	int side;
};

int main()
{
	std::vector<std::unique_ptr<shape>> shapes;
	int sum = 0;

	for (int i = 1; i <= 20; i++)
		shapes.push_back(std::make_unique<square>(i));
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(1) reduction(+ : sum)
	for (unsigned i = 0; i < shapes.size(); i++)
		sum += shapes[i]->area();
	return sum != 2870 || largest_seen == 0;
}
