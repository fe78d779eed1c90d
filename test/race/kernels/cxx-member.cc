/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: a member function that all threads call counts in its object.
 * Within a member function the object is shared by all that call it for the same one (OpenMP 5.2,
 * 5.1.2). The fixed member is counted atomically.
 */
class sensor
{
public:
	int read(int at)
	{
#ifdef FIXED
#pragma omp atomic
#endif
		reads_++; /* race: write reads_ */
		return at % 3;
	}
	int reads() const
	{
		return reads_;
	}

private:
	int reads_ = 0;
};

int main()
{
	sensor sensor;
	int sum = 0;

#pragma omp parallel for reduction(+ : sum)
	for (int i = 0; i < 300; i++)
		sum += sensor.read(i);
	return sum != 300 || sensor.reads() != 300;
}
