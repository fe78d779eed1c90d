/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: tasks of a member function use members through this, and the function returns.
 * The members are those of the object, shared by all its tasks (OpenMP 5.2, 5.1.2), and the caller
 * reads them at once. The fixed function has a taskgroup around its tasks.
 */
class field
{
public:
	void fill()
	{
#ifdef FIXED
#pragma omp taskgroup
#endif
		for (int i = 0; i < 16; i++) {
#pragma omp task firstprivate(i)
			values_[i] = i; /* race: write values_ */
		}
	}
	int sum() const
	{
		int sum = 0;

		for (int value : values_) /* race: read values_ */
			sum += value;
		return sum;
	}

private:
	int values_[16] = {};
};

int main()
{
	field field;
	int sum = 0;

#pragma omp parallel
#pragma omp single
	{
		field.fill();
		sum = field.sum();
	}
	return sum != 120;
}
