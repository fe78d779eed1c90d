/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that are blocked in the kernel, each in a way that argv[1] names, in a line that says so.
 * check-blocked.py compares what libpomp says with the sentences here.
 */
#include "regions.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PARALLEL, COUNT };

OMPRegDescr regions[COUNT] = {[PARALLEL] = REGION("parallel", "", 10)};
const int region_count = COUNT;

#define NOT_INLINE __attribute__((noinline))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t held;
static int is_set;

static void must(int holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(1);
}

static void in_team(void (*work)(void))
{
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(2)
	{
		pomp_parallel_begin(&regions[PARALLEL], fork);
		work();
		pomp_barrier_enter(&regions[PARALLEL]);
#pragma omp barrier
		pomp_barrier_exit(&regions[PARALLEL]);
		pomp_parallel_end(&regions[PARALLEL]);
	}
	pomp_parallel_join(&regions[PARALLEL], fork);
}

static void spin(void)
{
	for (volatile int i = 0; i < 2000000; i++)
		continue;
}

/* A sleep that a signal interrupts is one that the program would not have had. */
static NOT_INLINE void doze(long milliseconds)
{
	const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};

	must(nanosleep(&time, NULL) == 0, "nanosleep"); /* sleep, team */
	__asm__ volatile("" ::: "memory");
}

/* Returns the end from which what a child writes in so many milliseconds can be read. */
static int slow_writer(int parts)
{
	int ends[2];

	must(pipe(ends) == 0, "pipe");
	pid_t child = fork();
	must(child >= 0, "fork");
	if (child == 0) {
		close(ends[0]);
		for (int i = 0; i < parts; i++) {
			usleep(50000);
			must(write(ends[1], "line\n", 5) == 5, "write");
		}
		_exit(0);
	}
	close(ends[1]);
	return ends[0];
}

static NOT_INLINE void read_input(void)
{
	int input = slow_writer(12);
	char byte;

	while (read(input, &byte, 1) == 1) /* read, output */
		continue;
	wait(NULL);
}

static NOT_INLINE void read_lines(void)
{
	FILE *input = fdopen(slow_writer(12), "r");
	char line[80];

	while (fgets(line, sizeof(line), input) != NULL) /* lines */
		continue;
	fclose(input);
	wait(NULL);
}

static void *hold(void *unused)
{
	pthread_mutex_lock(&mutex);
	sem_post(&held);
	usleep(600000);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *set(void *unused)
{
	usleep(600000);
	pthread_mutex_lock(&mutex);
	is_set = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
	sem_post(&held);
	return unused;
}

static NOT_INLINE void wait_for_other(const char *way)
{
	pthread_t other;
	int is_mutex = strcmp(way, "mutex") == 0;

	must(pthread_create(&other, NULL, is_mutex ? hold : set, NULL) == 0, "pthread_create");
	if (is_mutex) {
		while (sem_wait(&held) != 0)
			continue;
		pthread_mutex_lock(&mutex); /* mutex */
		pthread_mutex_unlock(&mutex);
	} else if (strcmp(way, "condition") == 0) {
		pthread_mutex_lock(&mutex);
		while (!is_set)
			pthread_cond_wait(&changed, &mutex); /* condition */
		pthread_mutex_unlock(&mutex);
	} else if (strcmp(way, "semaphore") == 0) {
		must(sem_wait(&held) == 0, "sem_wait"); /* semaphore */
	}
	pthread_join(other, NULL); /* join */
}

static void doze_in_team(void)
{
	for (int i = 0; i < 60; i++)
		doze(10);
}

/* Three calls with known shares of the time. */
static void doze_in_parts(void)
{
	/* Much longer than the ticks for which the kernel may wait before it shows a call. */
	for (int i = 0; i < 25; i++) {
		usleep(60000); /* six */
		usleep(30000); /* three */
		usleep(10000); /* one */
	}
}

/* Counts what is in one of the folders that describe the process. */
static int count_entries(const char *folder)
{
	DIR *all = opendir(folder);
	int count = -2; /* "." and ".." */

	must(all != NULL, folder);
	while (readdir(all) != NULL)
		count++;
	closedir(all);
	return count;
}

/* The observer has no descriptor of the program's, and is no thread after the end of measuring. */
static void undisturbed(void)
{
	int threads = count_entries("/proc/self/task"), files = count_entries("/proc/self/fd");

	for (int i = 0; i < 20000; i++) {
		close(0);
		int file = open("/dev/null", O_RDONLY);
		check(file == 0, "the lowest free descriptor", (uint64_t)file, 0);
		if (file != 0)
			return;
	}
	check(count_entries("/proc/self/fd") == files, "descriptors", 0, (uint64_t)files);
	pomp_finalize();
	int left = count_entries("/proc/self/task");
	/* A thread that was joined may be listed a little longer. */
	for (int i = 0; i < 500 && left > 1; i++) {
		usleep(10000);
		left = count_entries("/proc/self/task");
	}
	printf("threads %d %d\n", threads, left);
}

#define REFUSE(call)                                                                               \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1),                                     \
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

/* All threads lose the calls with which one could look at another. */
static void lose_calls(void)
{
	struct sock_filter filter[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    REFUSE(openat),
	    REFUSE(pread64),
	    REFUSE(process_vm_readv),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "prctl");
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
		exit(77);
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	sem_init(&held, 0, 0);
	if (strcmp(way, "output") == 0)
		in_team(spin);
	if (strcmp(way, "read") == 0 || strcmp(way, "output") == 0)
		read_input();
	else if (strcmp(way, "lines") == 0)
		read_lines();
	else if (strcmp(way, "sleep") == 0)
		doze(600);
	else if (strcmp(way, "filtered") == 0) {
		lose_calls();
		doze(300);
		puts("done");
	} else if (strcmp(way, "team") == 0)
		in_team(doze_in_team);
	else if (strcmp(way, "parts") == 0)
		in_team(doze_in_parts);
	else if (strcmp(way, "undisturbed") == 0)
		undisturbed();
	else
		wait_for_other(way);
	if (strcmp(way, "undisturbed") != 0)
		in_team(spin);
	return result();
}
