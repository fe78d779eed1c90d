/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that do not end where they began: longjmp, exit, cancelled threads, nested ones. */
/* ompinst: --functions */
#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static jmp_buf back;
static int done;

static void deep(int depth)
{
	if (depth == 0)
		longjmp(back, 1);
	deep(depth - 1);
}

static int jumps(void)
{
	volatile int jumped = 0;

	if (setjmp(back) == 0)
		deep(5);
	else
		jumped = 1;
	return jumped;
}

static int work(int x)
{
	int sum = 0;

	for (int i = 0; i < 100; i++)
		sum += i ^ x;
	return sum;
}

static int teams(int depth)
{
	int sum = 0;

#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 4; i++)
		sum += depth > 0 ? teams(depth - 1) : work(i);
	return sum;
}

static int tasks(int n)
{
	int a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = tasks(n - 1);
#pragma omp task shared(b)
	b = tasks(n - 2);
#pragma omp taskwait
	return a + b;
}

static void *waits(void *argument)
{
	for (;;)
		pause();
	return argument;
}

static void cancels(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, waits, NULL);
	pthread_cancel(thread);
	pthread_join(thread, NULL);
}

static void at_exit(void)
{
	printf("at exit %d\n", done);
}

static void leaves(int status)
{
	done = 1;
	exit(status);
}

int main(void)
{
	int sum = 0;

	atexit(at_exit);
	printf("%d\n", jumps());
	printf("%d\n", teams(1));
#pragma omp parallel
#pragma omp single
	sum = tasks(12);
	printf("%d\n", sum);
	cancels();
	leaves(3);
}
