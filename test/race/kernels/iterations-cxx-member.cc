/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: a loop in a member function over the object's own array, with one conflict.
 * The fixed one has none.
 */
class Field
{
	int cells[1001] = {};

public:
	void relax()
	{
#pragma omp parallel for
		for (int i = 0; i < 1000; i++) {
			cells[i] = 2; /* race: write cells */
#ifndef FIXED
			if (i == 190)
				this->cells[i + 1] = 2; /* race: write cells */
#endif
		}
	}

	bool is_level() const
	{
		for (int i = 0; i < 1000; i++)
			if (cells[i] != 2)
				return false;
		return true;
	}
};

int main()
{
	Field field;

	field.relax();
	return field.is_level() ? 0 : 1;
}
