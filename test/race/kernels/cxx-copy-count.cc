/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: the constructors of a class count its objects, in a static member.
 * Private copies are made by all threads (OpenMP 5.2, 5.3 and 5.4.4), and so the counter is changed
 * by all of them. The fixed counter is a std::atomic.
 */
#include <atomic>

class token
{
public:
	token()
	{
		living++; /* race: write living */
	}
	token(const token &)
	{
		living++; /* race: write living */
	}
	~token()
	{
		living--; /* race: write living */
	}
#ifdef FIXED
	static std::atomic<int> living;
#else
	static int living;
#endif
};

decltype(token::living) token::living{0};

int main()
{
	int members = 0;

	{
		token token;
#pragma omp parallel firstprivate(token) reduction(+ : members)
		members += token.living > 0 ? 1 : 0;
	}
	return members < 1 || token::living != 0;
}
