/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that are strict with descriptors and system calls:
 *
 *   strict data     started without standard error: its data file gets descriptor 2
 *   strict allows   lets itself be killed at any system call that it does not need
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static double work(void)
{
	double sum = 0;

#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 1000000; i++)
		sum += i % 7;
	return sum;
}

static int write_data(void)
{
	int file = open("data", O_CREAT | O_WRONLY | O_TRUNC, 0666);
	double sum = work();

	return file == 2 && dprintf(file, "sum %.0f\n", sum) > 0 ? 0 : 3;
}

/* What the C library and an OpenMP runtime need to compute and to print. */
static int limit_calls(void)
{
	static const int allowed[] = {SYS_write, SYS_futex, SYS_exit_group, SYS_exit, SYS_mmap,
	    SYS_munmap, SYS_brk, SYS_madvise, SYS_mprotect, SYS_sched_yield, SYS_fstat,
	    SYS_newfstatat, SYS_rt_sigreturn, SYS_clock_gettime, SYS_prctl};
	enum { COUNT = sizeof(allowed) / sizeof(allowed[0]) };
	struct sock_filter code[COUNT + 3] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};

	for (unsigned i = 0; i < COUNT; i++)
		code[i + 1] = (struct sock_filter)BPF_JUMP(
		    BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i], (uint8_t)(COUNT - i), 0);
	code[COUNT + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	code[COUNT + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = {COUNT + 3, code};
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
		   ? (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)
		   : -1;
}

static int work_limited(void)
{
	char text[64];
	double sum = work();

	if (limit_calls() != 0)
		return 77;
	for (int i = 0; i < 20; i++)
		sum += work();
	int length = snprintf(text, sizeof(text), "sum %.0f\n", sum);
	return write(1, text, (size_t)length) == length ? 0 : 3;
}

int main(int count, char **argument)
{
	if (count == 2 && strcmp(argument[1], "data") == 0)
		return write_data();
	if (count == 2 && strcmp(argument[1], "allows") == 0)
		return work_limited();
	fprintf(stderr, "strict: expected data or allows\n");
	return 2;
}
