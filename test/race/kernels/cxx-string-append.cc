/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: sections append to one std::string.
 * Each append changes the string's length and buffer (OpenMP 5.2, 1.4.1). The fixed one appends
 * within a critical region.
 */
#include <string>

static void append(std::string &text, const char *words)
{
	for (; *words; words++)
#ifdef FIXED
#pragma omp critical(text)
#endif
		text += *words; /* race: write text */
}

int main()
{
	std::string text;

	text.reserve(200);
#pragma omp parallel sections
	{
		append(text, "all that the first one says");
#pragma omp section
		append(text, "and what the second one says");
	}
	return text.size() != 55;
}
