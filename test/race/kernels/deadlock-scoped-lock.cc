/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: a transfer takes the mutexes of two accounts, one after the other.
 * The fixed one has std::scoped_lock take both, which tries the second one and begins again with
 * that one if it is not free.
 */
#include <mutex>
#include <omp.h>

struct account {
	std::mutex own;
	long money = 100;
};

static void transfer(account &from, account &to, long money)
{
#ifdef FIXED
	std::scoped_lock both(from.own, to.own);
#else
	std::lock_guard<std::mutex> first(from.own); // deadlock: mutex from.own
	std::lock_guard<std::mutex> second(to.own);  // deadlock: mutex to.own
#endif
	from.money -= money;
	to.money += money;
}

int main()
{
	account *accounts = new account[2];

#pragma omp parallel num_threads(4)
	for (int i = 0; i < 20; i++) {
		int from = omp_get_thread_num() % 2;
		transfer(accounts[from], accounts[1 - from], i);
	}
	delete[] accounts;
	return 0;
}
