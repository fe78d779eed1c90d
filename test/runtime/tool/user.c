/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For start.py: says what it does, by its argument: "region", "nothing", "fork" (a region there
 * too), "fork first" (the runtime's first use is in the child), "exit inside" a region, "handler"
 * (a region in a handler of exit()), "lock" (a lock is the first use), "load FILE" before a region,
 * "move" (to another folder before a region).
 */
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *what)
{
	printf("program: %s\n", what);
	fflush(stdout);
}

static void region(void)
{
	int members = 0;

#pragma omp parallel num_threads(2) reduction(+ : members)
	members++;
	say(members == 2 ? "region of 2" : "region of 1");
}

static void in_child(void)
{
	pid_t child = fork();
	int status = -1;

	if (child == 0) {
		region();
		exit(0);
	}
	waitpid(child, &status, 0);
	say(status == 0 ? "child is well" : "child is not well");
}

static void leave_inside(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp barrier
#pragma omp master
		exit(0);
#pragma omp barrier
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "region";
	omp_lock_t lock;

	say("begin");
	if (strcmp(what, "handler") == 0)
		atexit(region);
	if (strcmp(what, "load") == 0)
		say(dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL) ? "loaded" : dlerror());
	if (strcmp(what, "move") == 0)
		say(chdir("/proc") == 0 ? "moved" : "not moved");
	if (strcmp(what, "fork first") == 0)
		in_child();
	if (strcmp(what, "lock") == 0) {
		omp_init_lock(&lock);
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
	} else if (strcmp(what, "nothing") != 0) {
		region();
	}
	if (strcmp(what, "fork") == 0)
		in_child();
	if (strcmp(what, "exit inside") == 0)
		leave_inside();
	say("end");
	return 0;
}
