/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The threads of a harness and those that the code starts are coroutines on one thread of the
 * system. Each has its own stack. For its thread-local variables it uses the thread pointer of a
 * real thread, which was started for this purpose and sleeps forever. Before each run the state of
 * the library under test is restored: its data, its thread-local variables, its heap.
 */
#include "engine.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define SUBJECT "check-subject"

enum { STACK = 256 * 1024, QUIET_TURNS = 400, KEYS = 16, SEGMENTS = 4 };

struct saved {
	void *at;
	void *copy;
	size_t size;
};

struct coroutine {
	jmp_buf context;
	ucontext_t first;
	bool has_begun;
	char *stack;
	uintptr_t pointer; /* of thread-local variables */
	pthread_t handle;
	struct saved locals;
	void (*body)(void *);
	void *(*start)(void *);
	void *argument;
	void *values[KEYS];
};

struct thread check_threads[CHECK_THREADS];
struct thread *check_self;
const struct check_harness *check_current;

static struct coroutine coroutines[CHECK_THREADS];
static struct saved segments[SEGMENTS];
static uint32_t segment_count, thread_count, quiet_turns;
static jmp_buf driver;
static uintptr_t driver_pointer;
static void (*destructors[KEYS])(void *);
static uint32_t key_count, key_count_before;
static int alone; /* the only thread that may run, or -1 */

static uintptr_t get_thread_pointer(void)
{
	uintptr_t pointer;

#if defined(__x86_64__)
	__asm__ volatile("mov %%fs:0, %0" : "=r"(pointer));
#else
	__asm__ volatile("mrs %0, tpidr_el0" : "=r"(pointer));
#endif
	return pointer;
}

/*
 * Writes the register directly if Linux reports that programs may do so (HWCAP2_FSGSBASE), else by
 * a system call.
 */
static void set_thread_pointer(uintptr_t pointer)
{
#if defined(__x86_64__)
	enum { ARCH_SET_FS = 0x1002, FSGSBASE = 2 };
	static int by_instruction = -1;

	if (by_instruction < 0)
		by_instruction = (getauxval(AT_HWCAP2) & FSGSBASE) != 0;
	if (by_instruction)
		__asm__ volatile("wrfsbase %0" : : "r"(pointer) : "memory");
	else
		syscall(SYS_arch_prctl, ARCH_SET_FS, pointer);
#else
	__asm__ volatile("msr tpidr_el0, %0" : : "r"(pointer) : "memory");
#endif
}

static void save(struct saved *saved, void *at, size_t size)
{
	saved->at = at;
	saved->size = size;
	saved->copy = malloc(size);
	if (saved->copy == NULL)
		abort();
	memcpy(saved->copy, at, size);
}

static bool is_subject(const struct dl_phdr_info *info)
{
	return info->dlpi_name != NULL && strstr(info->dlpi_name, SUBJECT) != NULL;
}

/* Saves the calling thread's block of the library's thread-local variables. */
static int save_locals(struct dl_phdr_info *info, size_t size, void *argument)
{
	(void)size;
	if (!is_subject(info))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data != NULL)
			save(argument, info->dlpi_tls_data, info->dlpi_phdr[i].p_memsz);
	return 1;
}

/* Saves the library's writable data, except what only the loader writes. */
static int save_data(struct dl_phdr_info *info, size_t size, void *argument)
{
	uintptr_t constant_end = 0;

	(void)size;
	(void)argument;
	if (!is_subject(info))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		if (part->p_type == PT_GNU_RELRO)
			constant_end = info->dlpi_addr + part->p_vaddr + part->p_memsz;
	}
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;

		if (part->p_type != PT_LOAD || (part->p_flags & PF_W) == 0)
			continue;
		if (begin < constant_end && constant_end <= end)
			begin = constant_end;
		if (segment_count < SEGMENTS)
			save(&segments[segment_count++], (void *)begin, end - begin);
	}
	return 1;
}

static pthread_barrier_t lent;

/* A real thread that provides its thread-local variables. */
static void *lend(void *argument)
{
	struct coroutine *coroutine = argument;

	coroutine->pointer = get_thread_pointer();
	dl_iterate_phdr(save_locals, &coroutine->locals);
	pthread_barrier_wait(&lent);
	for (;;)
		pause();
	return NULL;
}

void threads_prepare(void)
{
	dl_iterate_phdr(save_data, NULL);
	pthread_barrier_init(&lent, NULL, CHECK_THREADS);
	for (int i = 0; i < CHECK_THREADS; i++) {
		struct coroutine *coroutine = &coroutines[i];

		coroutine->stack =
		    mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (coroutine->stack == MAP_FAILED)
			abort();
		if (i == 0) {
			coroutine->pointer = get_thread_pointer();
			coroutine->handle = pthread_self();
			dl_iterate_phdr(save_locals, &coroutine->locals);
		} else if (pthread_create(&coroutine->handle, NULL, lend, coroutine) != 0) {
			abort();
		}
	}
	pthread_barrier_wait(&lent);
	driver_pointer = get_thread_pointer();
	key_count_before = key_count;
}

static void restore(const struct saved *saved)
{
	if (saved->size > 0)
		memcpy(saved->at, saved->copy, saved->size);
}

void threads_reset(void)
{
	for (uint32_t i = 0; i < segment_count; i++)
		restore(&segments[i]);
	for (int i = 0; i < CHECK_THREADS; i++) {
		restore(&coroutines[i].locals);
		memset(coroutines[i].values, 0, sizeof(coroutines[i].values));
		coroutines[i].has_begun = false;
	}
	memset(check_threads, 0, sizeof(check_threads));
	thread_count = 0;
	quiet_turns = 0;
	alone = -1;
	key_count = key_count_before;
}

/* Continues or starts `next`. The caller's context is already saved, or no longer needed. */
static _Noreturn void continue_thread(struct thread *next)
{
	struct coroutine *coroutine = &coroutines[next->number];

	check_self = next;
	set_thread_pointer(coroutine->pointer);
	if (coroutine->has_begun)
		_longjmp(coroutine->context, 1);
	coroutine->has_begun = true;
	setcontext(&coroutine->first);
	abort();
}

static _Noreturn void leave_run(void)
{
	set_thread_pointer(driver_pointer);
	check_self = NULL;
	_longjmp(driver, 1);
}

_Noreturn void threads_abandon(void)
{
	leave_run();
}

static uint32_t in_state(enum thread_state state)
{
	uint32_t set = 0;

	for (uint32_t i = 0; i < thread_count; i++)
		if (check_threads[i].state == state && (alone < 0 || alone == (int)i))
			set |= 1u << i;
	return set;
}

static _Noreturn void report_stuck(const char *what)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	for (uint32_t i = 0; i < thread_count; i++) {
		const struct thread *thread = &check_threads[i];

		if (thread->state == THREAD_BLOCKED)
			fprintf(out, "; thread %u waits (%s)", i, thread->blocked_at);
		else if (thread->state != THREAD_ENDED)
			fprintf(out, "; thread %u reads %#lx again", i,
			    (unsigned long)thread->next.address);
	}
	fclose(out);
	report_failure(NULL, "%s%s", what, text);
}

/* Has every thread ended that must end? Workers of the runtime may sleep forever. */
static bool is_done(void)
{
	for (uint32_t i = 0; i < thread_count; i++)
		if (check_threads[i].is_of_harness && check_threads[i].state != THREAD_ENDED)
			return false;
	return true;
}

/* The threads that can run; if there are none, the stalled ones in turn. */
static uint32_t runnable(void)
{
	static uint32_t turn;
	uint32_t enabled = in_state(THREAD_READY), stalled;

	if (enabled != 0) {
		turn = 0;
		return enabled;
	}
	stalled = in_state(THREAD_STALLED);
	if (stalled == 0 || is_done())
		return 0;
	if (++quiet_turns > QUIET_TURNS)
		report_stuck(alone >= 0 ? "no progress while the others stand still"
					: "no progress: all threads read the same again and again");
	while ((stalled >> turn % thread_count & 1) == 0)
		turn++;
	return 1u << turn++ % thread_count;
}

/* Switches to another thread or continues the calling one. */
static void dispatch(void)
{
	struct thread *self = check_self;
	uint32_t enabled = runnable();
	int next;

	if (enabled == 0) {
		if (!is_done())
			report_stuck(
			    alone >= 0 ? "waits while the others stand still" : "deadlock");
		leave_run();
	}
	if (check_current->at_step != NULL) {
		check_self = NULL;
		check_current->at_step();
		check_self = self;
	}
	next =
	    search_thread(enabled, self != NULL && self->state == THREAD_READY ? self->number : -1);
	if (next < 0)
		leave_run();
	check_threads[next].state = THREAD_READY;
	if (self == &check_threads[next])
		return;
	if (self == NULL || self->state == THREAD_ENDED ||
	    _setjmp(coroutines[self->number].context) == 0)
		continue_thread(&check_threads[next]);
}

void thread_turn(uint32_t kind, uintptr_t address, bool is_stalled)
{
	struct thread *self = check_self;

	if (self->alone_steps > 0 && alone == self->number && --self->alone_steps == 0)
		report_failure(NULL, "more steps than allowed while the others stand still");
	self->next = (struct operation){kind, address};
	self->state = is_stalled ? THREAD_STALLED : THREAD_READY;
	dispatch();
}

void thread_wrote(void)
{
	quiet_turns = 0;
	for (uint32_t i = 0; i < thread_count; i++)
		if (check_threads[i].state == THREAD_STALLED)
			check_threads[i].state = THREAD_READY;
}

static void thread_block(const char *where)
{
	check_self->state = THREAD_BLOCKED;
	check_self->blocked_at = where;
	dispatch();
}

static void thread_release(struct thread *thread)
{
	thread->state = THREAD_READY;
	thread->next = (struct operation){0, 0};
	clock_join(&thread->order, &check_self->order);
	quiet_turns = 0;
}

void thread_sleep(uintptr_t at, const char *where)
{
	check_self->sleeps_at = at;
	thread_block(where);
}

uint32_t thread_find_sleepers(uintptr_t at, struct thread *found[CHECK_THREADS])
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < thread_count; i++)
		if (check_threads[i].sleeps_at == at)
			found[count++] = &check_threads[i];
	return count;
}

/* The thread may have announced its sleep without having begun it. */
void thread_wake(struct thread *thread)
{
	thread->sleeps_at = 0;
	if (thread->state == THREAD_BLOCKED)
		thread_release(thread);
}

void thread_wake_all(uintptr_t at)
{
	struct thread *sleepers[CHECK_THREADS];
	uint32_t count = thread_find_sleepers(at, sleepers);

	for (uint32_t i = 0; i < count; i++)
		thread_wake(sleepers[i]);
}

void thread_note(uint32_t kind, uintptr_t address)
{
	struct operation operation = {kind, address};

	check_self->clock.at[check_self->number]++;
	search_note(&operation);
}

static void run_destructors(struct coroutine *coroutine)
{
	for (uint32_t i = 0; i < key_count; i++) {
		void *value = coroutine->values[i];

		coroutine->values[i] = NULL;
		if (value != NULL && destructors[i] != NULL)
			destructors[i](value);
	}
}

static void thread_main(void)
{
	struct coroutine *coroutine = &coroutines[check_self->number];

	if (coroutine->start != NULL)
		coroutine->start(coroutine->argument);
	else
		coroutine->body(coroutine->argument);
	if (check_self->number != 0)
		run_destructors(coroutine);
	thread_turn(OP_ORDERS, (uintptr_t)coroutine, false);
	thread_note(OP_ORDERS, (uintptr_t)coroutine);
	check_self->state = THREAD_ENDED;
	for (uint32_t i = 0; i < thread_count; i++) {
		struct thread *other = &check_threads[i];

		if (other->state == THREAD_BLOCKED && other->joining == check_self->number)
			thread_release(other);
	}
	thread_wrote();
	dispatch();
	abort();
}

static struct thread *new_thread(void)
{
	struct thread *thread = &check_threads[thread_count];
	struct coroutine *coroutine = &coroutines[thread_count];

	if (thread_count == CHECK_THREADS)
		report_failure(NULL, "more than %d threads", CHECK_THREADS);
	thread->number = (int)thread_count++;
	thread->state = THREAD_READY;
	thread->joining = -1;
	if (check_self != NULL) {
		thread->clock = check_self->clock;
		thread->order = check_self->order;
		thread->parent = check_self->number;
	}
	thread->clock.at[thread->number] = 1;
	getcontext(&coroutine->first);
	coroutine->first.uc_stack.ss_sp = coroutine->stack;
	coroutine->first.uc_stack.ss_size = STACK;
	coroutine->first.uc_link = NULL;
	makecontext(&coroutine->first, thread_main, 0);
	return thread;
}

static void run_harness(void *argument)
{
	(void)argument;
	check_current->run();
}

void threads_run(void)
{
	report_reset();
	threads_reset();
	heap_reset(check_current->reuse);
	shadow_reset();
	memory_reset();
	kernel_reset(check_current->spurious);
	files_reset();
	hand_over_reset();
	new_thread();
	check_threads[0].is_of_harness = true;
	check_threads[0].parent = -1;
	coroutines[0].body = run_harness;
	coroutines[0].start = NULL;
	if (_setjmp(driver) == 0)
		dispatch();
}

/* ---------- calls of the harness itself */

static struct thread *start(void)
{
	struct thread *thread;

	thread_turn(0, 0, false);
	thread = new_thread();
	thread_note(0, 0);
	thread->order = check_self->order;
	return thread;
}

void check_start(void (*body)(void *), void *argument)
{
	struct thread *thread = start();

	thread->is_of_harness = true;
	coroutines[thread->number].body = body;
	coroutines[thread->number].start = NULL;
	coroutines[thread->number].argument = argument;
}

static void join(struct thread *thread)
{
	thread_turn(OP_ORDERS, (uintptr_t)&coroutines[thread->number], false);
	if (thread->state != THREAD_ENDED) {
		check_self->joining = thread->number;
		thread_block("for the end of a thread");
		check_self->joining = -1;
	}
	clock_join(&check_self->clock, &thread->clock);
	clock_join(&check_self->order, &thread->order);
	thread_note(OP_ORDERS, (uintptr_t)&coroutines[thread->number]);
}

void check_join(void)
{
	for (uint32_t i = 1; i < thread_count; i++)
		if (check_threads[i].is_of_harness && check_threads[i].parent == check_self->number)
			join(&check_threads[i]);
}

bool check_is_running(void)
{
	return check_self != NULL;
}

uint32_t check_thread(void)
{
	return (uint32_t)check_self->number;
}

uint32_t check_choose(uint32_t count)
{
	return search_choose(count);
}

void check_alone_begin(uint32_t steps)
{
	/* The other threads may be anywhere at that point. */
	thread_turn(OP_BARRIER, 0, false);
	thread_note(OP_BARRIER, 0);
	if (alone >= 0 || search_choose(2) == 0)
		return;
	alone = check_self->number;
	check_self->alone_steps = steps + 1;
}

void check_alone_end(void)
{
	if (alone == check_self->number)
		alone = -1;
	check_self->alone_steps = 0;
}

/* ---------- POSIX threads, as the code calls them */

int check_pthread_create(
    pthread_t *handle, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);
int check_pthread_create(
    pthread_t *handle, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
	struct thread *thread;

	if (check_self == NULL)
		return pthread_create(handle, attributes, body, argument);
	thread = start();
	coroutines[thread->number].start = body;
	coroutines[thread->number].argument = argument;
	*handle = coroutines[thread->number].handle;
	return 0;
}

int __wrap_pthread_join(pthread_t handle, void **value);
int __wrap_pthread_join(pthread_t handle, void **value)
{
	if (check_self == NULL)
		return pthread_join(handle, value);
	for (uint32_t i = 0; i < thread_count; i++)
		if (pthread_equal(coroutines[i].handle, handle)) {
			join(&check_threads[i]);
			return 0;
		}
	return ESRCH;
}

int __wrap_pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
int __wrap_pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
	if (key_count == KEYS)
		return EAGAIN;
	destructors[key_count] = destructor;
	*key = key_count++;
	return 0;
}

int __wrap_pthread_setspecific(pthread_key_t key, const void *value);
int __wrap_pthread_setspecific(pthread_key_t key, const void *value)
{
	if (key >= key_count)
		return EINVAL;
	coroutines[check_self != NULL ? check_self->number : 0].values[key] =
	    (void *)(uintptr_t)value;
	return 0;
}

void *__wrap_pthread_getspecific(pthread_key_t key);
void *__wrap_pthread_getspecific(pthread_key_t key)
{
	return key < key_count ? coroutines[check_self != NULL ? check_self->number : 0].values[key]
			       : NULL;
}
