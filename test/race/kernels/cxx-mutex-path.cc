/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: a member function returns early without having locked the object's mutex.
 * The early return reads what others write under the mutex (OpenMP 5.2, 1.4.1). The fixed one
 * locks before it.
 */
#include <mutex>

class account
{
public:
	bool withdraw(int amount)
	{
#ifdef FIXED
		std::lock_guard<std::mutex> guard(mutex_);
		if (balance_ < amount)
			return false;
#else
		if (balance_ < amount) /* race: read balance_ */
			return false;
		std::lock_guard<std::mutex> guard(mutex_);
#endif
		balance_ -= amount; /* race: write balance_ */
		return true;
	}
	int balance() const
	{
		return balance_;
	}

private:
	std::mutex mutex_;
	int balance_ = 100;
};

int main()
{
	account account;
	int taken = 0;

#pragma omp parallel for reduction(+ : taken)
	for (int i = 0; i < 60; i++)
		if (account.withdraw(3))
			taken += 3;
	return taken + account.balance() != 100 || account.balance() < 0;
}
