/* SPDX-License-Identifier: BSD-3-Clause */
/* Short functions of a header, as C++ programs have them around malloc(), and longer ones. */
#ifndef INLINED_H
#define INLINED_H

#include <stdlib.h>
#include <unistd.h>

template <typename T> T *obtain(size_t count)
{
	return static_cast<T *>(malloc(count * sizeof(T))); /* obtain line */
}

template <typename T> void drop(T **memory)
{
	if (*memory != nullptr) {
		free(*memory); /* drop line */
		*memory = nullptr;
	}
}

inline void rest(unsigned microseconds)
{
	usleep(microseconds); /* rest line */
}

class grid
{
public:
	explicit grid(double *cells) : first(cells)
	{
	}
	double &at(size_t index)
	{
		return first[index]; /* at line */
	}

private:
	double *first;
};

/* Not short: it has a line of its own in each table. */
__attribute__((always_inline)) inline double smooth(double value, int times)
{
	double other = value;

	for (int i = 0; i < times; i++) {
		value = value * 1.0000001 + 0.1;
		other = other * 0.9999999 + value;
		if (other > 1e9)
			other = 1;
		if (value > 1e9)
			value = 1;
	}
	return value + other;
}

#endif
