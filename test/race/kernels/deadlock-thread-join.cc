/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: a std::thread takes two locks in one order, and the threads of a region in the other.
 * The fixed one joins the thread before the region begins.
 */
#include <mutex>
#include <omp.h>
#include <thread>

static std::mutex input, output;
static int copied;

int main()
{
	std::thread reader([] {
		input.lock();  // deadlock: mutex input
		output.lock(); // deadlock: mutex output
		copied++;
		output.unlock();
		input.unlock();
	});
#ifdef FIXED
	reader.join();
#endif
#pragma omp parallel
	{
		output.lock(); // deadlock: mutex output
		input.lock();  // deadlock: mutex input
		copied++;
		input.unlock();
		output.unlock();
	}
#ifndef FIXED
	reader.join();
#endif
	return 0;
}
