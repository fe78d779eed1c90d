/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program may do that a sampling handler could break: `programs CASE`. Each case works for
 * about a second of processor time, checks what it does itself, and prints the same always.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			printf("%s:%d: %s (errno %d)\n", __FILE__, __LINE__, #condition, errno);   \
			fflush(stdout);                                                            \
			_exit(1);                                                                  \
		}                                                                                  \
	} while (0)

extern char **environ;
static const char *self;
static _Thread_local volatile double sink;

static double processor_time(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Works for so many milliseconds of the thread's processor time. */
__attribute__((noinline)) static void work(int milliseconds)
{
	double end = processor_time(CLOCK_THREAD_CPUTIME_ID) + milliseconds * 1e-3, x = 1;

	while (processor_time(CLOCK_THREAD_CPUTIME_ID) < end)
		for (int i = 0; i < 20000; i++)
			x = x * 1.0000001 + 0.1;
	sink = x;
}

/* The same without asking for the time, for programs that may not. */
__attribute__((noinline)) static void count(long steps)
{
	double x = 1;

	for (long i = 0; i < steps; i++)
		x = x * 1.0000001 + 0.1;
	sink = x;
}

static void work_in_team(int milliseconds)
{
#pragma omp parallel num_threads(2)
	work(milliseconds);
}

/*
 * Works for so many times 2 ms after waits of 2 ms: libpomp then uses a clock of its observer's
 * beside the timer.
 */
static void nap(int times)
{
	for (int i = 0; i < times; i++) {
		EXPECT(nanosleep(&(struct timespec){0, 2000000}, NULL) == 0);
		count(800000);
	}
}

static void plain(void)
{
	work_in_team(500);
}

/* To be killed. */
static void endless(void)
{
	for (;;)
		work_in_team(20);
}

/* Frames that longjmp() leaves. */
static void jumps(void)
{
	volatile int left = 0;
	jmp_buf place;

	work_in_team(10);
	for (volatile int i = 0; i < 200000; i++) {
		if (setjmp(place) != 0) {
			left++;
			continue;
		}
		char *room = __builtin_alloca((size_t)(i % 500) + 1);
		room[0] = 1;
		count(i % 3000);
		longjmp(place, 1);
	}
	EXPECT(left == 200000);
}

static volatile sig_atomic_t handled;

static void count_signal(int number)
{
	(void)number;
	handled++;
	count(2000);
}

/* Handlers of the program on an alternate stack, which is as small as the system allows. */
static void alternate(void)
{
	size_t size = (size_t)sysconf(_SC_MINSIGSTKSZ) + 1024;
	char *stack =
	    mmap(NULL, size + 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const struct sigaction action = {
	    .sa_handler = count_signal, .sa_flags = SA_ONSTACK | SA_RESTART};

	EXPECT(stack != MAP_FAILED);
	memset(stack, 0x5a, 8192);
	EXPECT(sigaltstack(&(stack_t){.ss_sp = stack + 8192, .ss_size = size}, NULL) == 0);
	EXPECT(sigaction(SIGUSR1, &action, NULL) == 0);
	work_in_team(10);
	for (int i = 0; i < 100000; i++)
		raise(SIGUSR1);
	EXPECT(handled == 100000);
	for (int i = 0; i < 8192; i++)
		EXPECT(stack[i] == 0x5a);
}

#if defined __x86_64__
/* Code that this program makes: f(n) counts to n, called by code with a frame of its own. */
static const unsigned char made_code[] = {
    0x55, 0x48, 0x89, 0xe5,             /* push %rbp; mov %rsp, %rbp */
    0xe8, 0x02, 0x00, 0x00, 0x00,       /* call 1f */
    0x5d, 0xc3,                         /* pop %rbp; ret */
    0x48, 0x83, 0xef, 0x01, 0x75, 0xfa, /* 1: sub $1, %rdi; jnz 1b */
    0xc3,                               /* ret */
};

static void (*make_code(void))(long)
{
	void *code = mmap(
	    NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*function)(long);

	EXPECT(code != MAP_FAILED);
	memcpy(code, made_code, sizeof(made_code));
	memcpy(&function, &code, sizeof(code));
	return function;
}

static void jit(void)
{
	void (*function)(long) = make_code();

	work_in_team(10);
#pragma omp parallel num_threads(2)
	for (int i = 0; i < 100; i++)
		function(5000000);
}

/* The tables of that code come and go while the other thread is in it. */
static void jit_frames(void)
{
	/* A common entry (CIE) and one for the function, as assemblers write them. */
	struct __attribute__((packed)) {
		uint32_t length, id;
		uint8_t version, letters[3];
		uint8_t code, data, column, size, encoding, rules[7];
		uint32_t own_length, distance;
		uint64_t begin, bytes;
		uint8_t own_rules[8];
		uint32_t end;
	} tables = {20, 0, 1, "zR", 1, 0x78, 16, 1, 0x00, {0x0c, 7, 8, 0x90, 1, 0, 0}, 28, 28, 0,
	    sizeof(made_code), {0, 0x41, 0x0e, 16, 0x86, 2, 0, 0}, 0};
	extern void __register_frame(void *), __deregister_frame(void *);
	void (*function)(long) = make_code();
	static atomic_int ended;

	memcpy(&tables.begin, &function, sizeof(tables.begin));
	work_in_team(10);
#pragma omp parallel num_threads(2)
	{
#pragma omp single nowait
		{
			for (int i = 0; i < 40; i++)
				function(10000000);
			ended = 1;
		}
		while (!ended) {
			__register_frame(&tables);
			__deregister_frame(&tables);
		}
	}
}
#else
static void jit(void)
{
	plain();
}
static void jit_frames(void)
{
	plain();
}
#endif

static void forks(void)
{
	int status;

	/* GNU's runtime has no teams in a child. */
	work_in_team(100);
	nap(100);
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();
		if (child == 0) {
#pragma omp critical(child)
			work(200);
			exit(7);
		}
		EXPECT(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
	}
	pid_t child = fork();
	if (child == 0) {
		work(100);
		_exit(8);
	}
	EXPECT(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 8);
	work_in_team(200);
}

/* The programs that it starts say what signals they have been left. */
static void spawns(void)
{
	char *arguments[] = {(char *)self, "signals", NULL};
	posix_spawn_file_actions_t actions;
	pid_t child;
	int status;

	work_in_team(50);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	for (int i = 0; i < 100; i++) {
		child = vfork();
		if (child == 0) {
			close(1);
			execv(self, arguments);
			_exit(99);
		}
		EXPECT(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 42);
		EXPECT(posix_spawn(&child, self, &actions, NULL, arguments, environ) == 0);
		EXPECT(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 42);
		work(2);
	}
}

static void signals(void)
{
	sigset_t blocked, pending;

	EXPECT(sigprocmask(SIG_BLOCK, NULL, &blocked) == 0 && sigpending(&pending) == 0);
	for (int i = 1; i <= SIGRTMAX; i++)
		EXPECT(sigismember(&blocked, i) < 1 && sigismember(&pending, i) < 1);
}

/* Works until it is replaced. */
static void execs(void)
{
	work_in_team(300);
	nap(200);
	work(100);
	fflush(stdout);
	execl(self, self, "counts", (char *)NULL);
	EXPECT(!"exec");
}

static void *work_little(void *milliseconds)
{
	/* An event, so that the thread is measured. */
#pragma omp critical(little)
	count(100);
	work(*(int *)milliseconds);
	return NULL;
}

/* 5,000 threads: one after the other, and at once. */
static void threads(void)
{
	enum { COUNT = 5000 };
	static pthread_t thread[COUNT];
	static int some = 1;
	pthread_attr_t attributes;

	work_in_team(10);
	for (int i = 0; i < COUNT; i++) {
		EXPECT(pthread_create(&thread[i], NULL, work_little, &(int){0}) == 0);
		EXPECT(pthread_join(thread[i], NULL) == 0);
	}
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 1 << 16);
	int made = 0;
	while (made < COUNT && pthread_create(&thread[made], &attributes, work_little, &some) == 0)
		made++;
	EXPECT(made > COUNT / 10); /* a container may allow less */
	for (int i = 0; i < made; i++)
		EXPECT(pthread_join(thread[i], NULL) == 0);
}

/* Threads end while their timers expire. */
static void ending(void)
{
	pthread_t thread[2];

	work_in_team(10);
	for (int i = 0; i < 300; i++) {
		for (int j = 0; j < 2; j++)
			EXPECT(pthread_create(&thread[j], NULL, work_little, &(int){4}) == 0);
		for (int j = 0; j < 2; j++)
			EXPECT(pthread_join(thread[j], NULL) == 0);
	}
}

static void *use_little_stack(void *unused)
{
#pragma omp critical(little)
	count(100);
	count(300000000);
	return unused;
}

/* The smallest stack that a thread may have. */
static void small_stack(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	work_in_team(10);
	pthread_attr_init(&attributes);
	EXPECT(pthread_attr_setstacksize(&attributes, (size_t)sysconf(_SC_THREAD_STACK_MIN)) == 0);
	EXPECT(pthread_create(&thread, &attributes, use_little_stack, NULL) == 0);
	EXPECT(pthread_join(thread, NULL) == 0);
}

static ucontext_t main_context, other_context;

static void other_code(void)
{
	for (;;) {
		count(20000);
		swapcontext(&other_context, &main_context);
	}
}

/* Code on a stack that is no thread's. */
static void contexts(void)
{
	enum { SIZE = 32768 };
	char *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	EXPECT(stack != MAP_FAILED);
	work_in_team(10);
	getcontext(&other_context);
	other_context.uc_stack = (stack_t){.ss_sp = stack, .ss_size = SIZE};
	makecontext(&other_context, other_code, 0);
	for (int i = 0; i < 20000; i++)
		swapcontext(&main_context, &other_context);
}

/* A filter that refuses calls, or kills the process at them, in this thread or in all. */
static void filter(uint32_t action, unsigned flags)
{
	static const int refused[] = {SYS_timer_create, SYS_timer_settime, SYS_timer_delete,
	    SYS_getrusage, SYS_clock_gettime, SYS_rt_sigaction, SYS_perf_event_open,
	    SYS_process_vm_readv, SYS_ioctl, SYS_fcntl};
	enum { COUNT = sizeof(refused) / sizeof(refused[0]) };
	struct sock_filter code[COUNT + 3] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};

	for (unsigned i = 0; i < COUNT; i++)
		code[i + 1] = (struct sock_filter)BPF_JUMP(
		    BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)refused[i], (uint8_t)(COUNT - i), 0);
	code[COUNT + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	code[COUNT + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
	struct sock_fprog program = {COUNT + 3, code};
	EXPECT(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) != 0)
		puts("no filters here");
}

static void *count_much(void *unused)
{
#pragma omp critical(little)
	count(100);
	count(300000000);
	return unused;
}

static void work_filtered(uint32_t action)
{
	pthread_t thread;

	work_in_team(300);
	filter(action, 0);
	for (int i = 0; i < 10; i++) {
#pragma omp parallel num_threads(2)
		count(10000000);
	}
	EXPECT(pthread_create(&thread, NULL, count_much, NULL) == 0);
	EXPECT(pthread_join(thread, NULL) == 0);
}

static void filter_refuses(void)
{
	work_filtered(SECCOMP_RET_ERRNO | EPERM);
}

static void filter_kills(void)
{
	work_filtered(SECCOMP_RET_KILL_PROCESS);
}

/* The whole program runs under a filter, libpomp's start as well. */
static void filter_first(void)
{
	filter(SECCOMP_RET_ERRNO | EPERM, 0);
	fflush(stdout);
	execl(self, self, "counts", (char *)NULL);
	EXPECT(!"exec");
}

static void naps(void)
{
#pragma omp parallel num_threads(2)
	nap(300);
}

/* Not even the observer may ask for that clock; it has not looked yet when the filter comes. */
static void filter_all(void)
{
	work_in_team(1);
	filter(SECCOMP_RET_KILL_PROCESS, SECCOMP_FILTER_FLAG_TSYNC);
	naps();
}

/* Threads have it when the filter comes. */
static void filter_late(void)
{
	work_in_team(10);
	nap(200);
	filter(SECCOMP_RET_KILL_PROCESS, SECCOMP_FILTER_FLAG_TSYNC);
	naps();
}

static int lowest_descriptor(void)
{
	int file = dup(0);

	EXPECT(file >= 0 && close(file) == 0);
	return file;
}

/* The program's descriptors are its own: their numbers, their limit, and who closes them. */
static void descriptors(void)
{
	struct rlimit files, before;
	int lowest = lowest_descriptor();

	work_in_team(10);
	nap(100);
	for (int i = 0; i < 1000; i++) {
		EXPECT(lowest_descriptor() == lowest);
		count(40000);
		if (i % 20 == 0)
			nap(1);
	}
	EXPECT(syscall(SYS_close_range, 3, ~0U, 0) == 0);
	nap(50);
	EXPECT(lowest_descriptor() == 3);
	EXPECT(getrlimit(RLIMIT_NOFILE, &before) == 0);
	files = before;
	files.rlim_cur = 3;
	EXPECT(setrlimit(RLIMIT_NOFILE, &files) == 0);
	EXPECT(dup(0) < 0 && errno == EMFILE);
	naps();
	EXPECT(dup(0) < 0 && errno == EMFILE);
	EXPECT(setrlimit(RLIMIT_NOFILE, &before) == 0);
}

/* Signals are blocked, and may not wait. */
static void few_signals(void)
{
	sigset_t all;

	work_in_team(10);
	EXPECT(setrlimit(RLIMIT_SIGPENDING, &(struct rlimit){16, 16}) == 0);
	nap(100);
	memset(&all, 0xff, sizeof(all));
	EXPECT(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL, 8) == 0);
	nap(200);
	EXPECT(syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &all, NULL, 8) == 0);
	nap(100);
}

/* Another process lets as many signals wait as the user may have. */
static void full_queue(void)
{
	int ready[2];
	char byte;

	work_in_team(10);
	nap(100);
	EXPECT(pipe(ready) == 0);
	pid_t other = fork();
	if (other == 0) {
		sigset_t all;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, NULL);
		for (int i = 0; i < 64; i++)
			sigqueue(getpid(), SIGRTMIN + 5, (union sigval){0});
		_exit(write(ready[1], "", 1) != 1 || pause());
	}
	EXPECT(read(ready[0], &byte, 1) == 1);
	EXPECT(setrlimit(RLIMIT_SIGPENDING, &(struct rlimit){16, 16}) == 0);
	nap(200);
	EXPECT(kill(other, SIGKILL) == 0 && waitpid(other, NULL, 0) == other);
}

/* A SIGIO that is not the kernel's ends the program as ever. */
static void own_sigio(void)
{
	work_in_team(10);
	nap(20);
	pid_t child = fork();
	int status;

	if (child == 0) {
		raise(SIGIO);
		_exit(0);
	}
	EXPECT(waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
	       WTERMSIG(status) == SIGIO);
}

/* Signals are blocked for long in a thread that has the clock. */
static void long_blocked(void)
{
	sigset_t all;

	work_in_team(10);
	nap(200);
	memset(&all, 0xff, sizeof(all));
	EXPECT(syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL, 8) == 0);
	nap(1000);
	EXPECT(syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &all, NULL, 8) == 0);
	nap(100);
}

static void counts(void)
{
#pragma omp parallel num_threads(2)
	count(100000000);
}

static atomic_int profiled, of_timer, real_time;

static void note_signal(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (number == SIGPROF)
		profiled++;
	else if (info->si_code == SI_TIMER)
		of_timer++;
	else if (info->si_code == SI_QUEUE && info->si_value.sival_int == number)
		real_time++;
	else
		_exit(3);
}

/* The program's own timers, and all real-time signals. */
static void own_timers(void)
{
	struct sigaction action = {
	    .sa_sigaction = note_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
	const struct itimerval each = {{0, 10000}, {0, 10000}};
	const struct itimerspec every = {{0, 10000000}, {0, 10000000}};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMAX};
	timer_t timer;
	int numbers = 0;

	work_in_team(10);
	EXPECT(sigaction(SIGPROF, &action, NULL) == 0);
	for (int i = SIGRTMIN; i <= SIGRTMAX; i++)
		EXPECT(sigaction(i, &action, NULL) == 0);
	EXPECT(setitimer(ITIMER_PROF, &each, NULL) == 0);
	EXPECT(timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) == 0);
	EXPECT(timer_settime(timer, 0, &every, NULL) == 0);
	for (int i = SIGRTMIN; i <= SIGRTMAX; i++, numbers++)
		EXPECT(sigqueue(getpid(), i, (union sigval){.sival_int = i}) == 0);
	work_in_team(500);
	timer_delete(timer);
	EXPECT(setitimer(ITIMER_PROF, &(struct itimerval){0}, NULL) == 0);
	EXPECT(real_time == numbers && profiled > 20 && of_timer > 20);
}

/* Blocks everything, and takes signals by waiting for them. */
static void blocked(void)
{
	const struct timespec none = {0, 0};
	siginfo_t info;
	sigset_t all;

	work_in_team(10);
	memset(&all, 0xff, sizeof(all));
	EXPECT(pthread_sigmask(SIG_BLOCK, &all, NULL) == 0);
	int file = signalfd(-1, &all, SFD_NONBLOCK);
	EXPECT(file >= 0);
	for (int i = 0; i < 300; i++) {
		work(1);
		EXPECT(sigtimedwait(&all, &info, &none) < 0 && errno == EAGAIN);
		struct signalfd_siginfo read_info;
		EXPECT(read(file, &read_info, sizeof(read_info)) < 0 && errno == EAGAIN);
	}
	EXPECT(pthread_sigqueue(pthread_self(), SIGRTMAX, (union sigval){.sival_int = 5}) == 0);
	EXPECT(sigwaitinfo(&all, &info) == SIGRTMAX && info.si_value.sival_int == 5);
	EXPECT(pthread_sigqueue(pthread_self(), SIGRTMIN, (union sigval){.sival_int = 6}) == 0);
	struct signalfd_siginfo read_info;
	EXPECT(read(file, &read_info, sizeof(read_info)) == sizeof(read_info));
	EXPECT(read_info.ssi_signo == (uint32_t)SIGRTMIN && read_info.ssi_int == 6);
}

static int ends[2];
static sem_t semaphore;

static void *wake_up(void *unused)
{
	char byte = 0;

	for (int i = 0; i < 100; i++) {
		work(5);
		EXPECT(write(ends[1], &byte, 1) == 1);
		EXPECT(sem_post(&semaphore) == 0);
	}
	return unused;
}

/* No call of the program is interrupted. */
static void waits(void)
{
	pthread_t thread;
	char byte;

	work_in_team(10);
	EXPECT(pipe(ends) == 0 && sem_init(&semaphore, 0, 0) == 0);
	EXPECT(pthread_create(&thread, NULL, wake_up, NULL) == 0);
	for (int i = 0; i < 100; i++) {
		struct pollfd poll_for = {ends[0], POLLIN, 0};
		work(3);
		EXPECT(poll(&poll_for, 1, -1) == 1);
		EXPECT(read(ends[0], &byte, 1) == 1);
		EXPECT(sem_wait(&semaphore) == 0);
		EXPECT(nanosleep(&(struct timespec){0, 1000000}, NULL) == 0);
		EXPECT(poll(NULL, 0, 1) == 0);
	}
	EXPECT(pthread_join(thread, NULL) == 0);
}

static void *work_forever(void *unused)
{
#pragma omp critical(little)
	count(100);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (;;)
		count(1000);
	return unused;
}

/* pthread_cancel() has the signal's number. */
static void cancels(void)
{
	pthread_t thread;
	void *result;

	work_in_team(100);
	for (int i = 0; i < 50; i++) {
		EXPECT(pthread_create(&thread, NULL, work_forever, NULL) == 0);
		work(10);
		EXPECT(pthread_cancel(thread) == 0);
		EXPECT(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
	}
}

static const struct {
	const char *name;
	void (*function)(void);
} cases[] = {
    {"plain", plain},
    {"endless", endless},
    {"jumps", jumps},
    {"alternate", alternate},
    {"jit", jit},
    {"jit_frames", jit_frames},
    {"forks", forks},
    {"spawns", spawns},
    {"signals", signals},
    {"execs", execs},
    {"threads", threads},
    {"ending", ending},
    {"small_stack", small_stack},
    {"contexts", contexts},
    {"filter_refuses", filter_refuses},
    {"filter_kills", filter_kills},
    {"filter_first", filter_first},
    {"counts", counts},
    {"naps", naps},
    {"filter_all", filter_all},
    {"filter_late", filter_late},
    {"descriptors", descriptors},
    {"few_signals", few_signals},
    {"full_queue", full_queue},
    {"own_sigio", own_sigio},
    {"long_blocked", long_blocked},
    {"own_timers", own_timers},
    {"blocked", blocked},
    {"waits", waits},
    {"cancels", cancels},
};

int main(int argument_count, char **argument)
{
	self = argument[0];
	for (size_t i = 0; argument_count > 1 && i < sizeof(cases) / sizeof(cases[0]); i++)
		if (strcmp(cases[i].name, argument[1]) == 0) {
			cases[i].function();
			puts(cases[i].name);
			return 42;
		}
	return 2;
}
