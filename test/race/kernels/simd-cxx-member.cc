// SPDX-License-Identifier: BSD-3-Clause
// simd: a member function sums up the elements of its object in place.
// An iteration reads what the one before it writes (OpenMP 5.2, 10.4). The fixed one only scales.
struct series {
	double terms[65];

	void change(int count)
	{
#pragma omp simd
		for (int i = 0; i < count; i++)
#ifdef FIXED
			terms[i + 1] = 2 * terms[i + 1];
#else
			terms[i + 1] =               // race: write terms
			    terms[i + 1] + terms[i]; // race: read terms
#endif
	}
};

int main()
{
	series ones;

	for (double &term : ones.terms)
		term = 1;
	ones.change(64);
#ifdef FIXED
	return ones.terms[64] != 2;
#else
	return ones.terms[64] != 65;
#endif
}
