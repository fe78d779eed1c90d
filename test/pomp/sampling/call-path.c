/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call paths read in a handler, at every instruction of some code: `call-path` compares them with
 * those of libgcc's unwinder, and with what the observer finds in a copy of the stack; `call-path
 * stack` measures how much stack it takes. The trap flag makes the processor raise SIGTRAP after
 * each instruction. `call-path faults`: which registers say that a page fault was interrupted.
 */
#include "call-path.h"
#include "check.h"
#include "page-fault.h"
#include "stack-walk.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

static struct pomp_call_path path;
static struct unwind_stack own;
static uint64_t expected[POMP_PATH_DEPTH];
static size_t expected_count;
static bool was_reached;
static unsigned long steps, deepest, different, walks, ended_in_program, longest_walk;
static volatile sig_atomic_t stops;

static _Unwind_Reason_Code take_frame(struct _Unwind_Context *context, void *pc)
{
	int is_exact = 0;
	uint64_t address = _Unwind_GetIPInfo(context, &is_exact);

	if (!was_reached) {
		was_reached = address == *(uint64_t *)pc && is_exact;
		return _URC_NO_REASON;
	}
	if (address == 0 || expected_count == POMP_PATH_DEPTH)
		return _URC_END_OF_STACK;
	expected[expected_count++] = address + (is_exact != 0);
	return _URC_NO_REASON;
}

static void compare(const ucontext_t *user)
{
	uint64_t pc = (uint64_t)user->uc_mcontext.gregs[REG_RIP];
	size_t count = pomp_call_path(&path, own, UINT64_MAX, user);

	was_reached = false;
	expected[0] = pc;
	expected_count = 1;
	_Unwind_Backtrace(take_frame, &pc);
	steps++;
	if (count > deepest)
		deepest = count;
	/* The outermost frames of libgcc may be those of code without a table, which ours leaves.
	 */
	if (count >= expected_count &&
	    memcmp(path.word, expected, expected_count * sizeof(expected[0])) == 0)
		return;
	if (different++ < 3) {
		fprintf(stderr, "at %#lx: %zu frames, libgcc finds %zu\n", (unsigned long)pc, count,
		    expected_count);
		for (size_t i = 0; i < count || i < expected_count; i++)
			fprintf(stderr, "  %#lx  %#lx\n",
			    i < count ? (unsigned long)path.word[i] : 0,
			    i < expected_count ? (unsigned long)expected[i] : 0);
	}
}

/* The observer's walk is the inner part of the path. */
static void compare_walk(const ucontext_t *user)
{
	enum { DEPTH = 12, WORDS = 512 };
	uint64_t sp = (uint64_t)user->uc_mcontext.gregs[REG_RSP];
	uint64_t words[WORDS], found[DEPTH];
	size_t used = 0, count = pomp_call_path(&path, own, UINT64_MAX, user);
	struct pomp_stack_top top = {.program_counter = path.word[0], sp, words, WORDS};

	if (sp < own.first || sp >= own.end)
		return;
	if (top.count > (own.end - sp) / sizeof(words[0]))
		top.count = (own.end - sp) / sizeof(words[0]);
	memcpy(words, (const void *)(uintptr_t)sp, top.count * sizeof(words[0]));
	size_t depth = pomp_stack_walk(&top, found, DEPTH, &used);
	EXPECT(depth >= 1 && depth <= count);
	EXPECT(memcmp(found, path.word, depth * sizeof(found[0])) == 0);
	walks++;
	ended_in_program += *unwind_file(found[depth - 1] - (depth > 1)) == '\0';
	if (depth > longest_walk)
		longest_walk = depth;
}

#define TRAP_FLAG 0x100

static void step(int number, siginfo_t *info, void *context)
{
	ucontext_t *user = context;

	(void)number;
	(void)info;
	if (stops)
		user->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	else
		user->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
	compare(user);
	compare_walk(user);
}

static int by_value(const void *one, const void *other)
{
	return *(const int *)one - *(const int *)other;
}

/* Its frame has no fixed size. */
__attribute__((noinline)) static int nested(int depth, int *values, size_t count)
{
	char *room = __builtin_alloca((size_t)depth * 24 + 16);

	memset(room, depth, 16);
	if (depth > 0)
		return nested(depth - 1, values, count) + room[3];
	qsort(values, count, sizeof(*values), by_value);
	return values[0] + room[0];
}

static volatile int handled;

static void use_handler(int number)
{
	handled += number + atoi("12");
}

static void check_every_step(void)
{
	int values[] = {5, 2, 9, 1, 7};
	static char alternate[1 << 16];
	const struct sigaction traps = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};
	const struct sigaction uses = {.sa_handler = use_handler, .sa_flags = SA_ONSTACK};

	sigaltstack(&(stack_t){.ss_sp = alternate, .ss_size = sizeof(alternate)}, NULL);
	sigaction(SIGUSR1, &uses, NULL);
	sigaction(SIGTRAP, &traps, NULL);
	raise(SIGTRAP);
	int result = nested(3, values, 5);
	raise(SIGUSR1); /* a handler on the alternate stack */
	result += (int)strtol("123", NULL, 0) + (int)strlen(getenv("PATH")); /* lazily bound */
	stops = 1;
	EXPECT(result != 0);
	EXPECT(different == 0);
	EXPECT(steps > 1000);
	EXPECT(deepest > 8);
	EXPECT(longest_walk > 8);
	EXPECT(ended_in_program > walks * 3 / 4);
	printf("%lu instructions, at most %lu frames; %lu walks, %lu of them to the program\n",
	    steps, deepest, walks, ended_in_program);
}

/* The stack of another thread is painted; all that it has is the call. */
static ucontext_t here;

static void *read_path(void *unused)
{
	getcontext(&here);
	EXPECT(pomp_call_path(&path, own, UINT64_MAX, &here) > 2);
	return unused;
}

static void *do_nothing(void *unused)
{
	getcontext(&here);
	return unused;
}

/* Returns how much of its stack a thread uses. */
static size_t stack_of(void *(*work)(void *))
{
	enum { SIZE = 1 << 17, UNUSED = 0xa5 };
	static unsigned char stack[SIZE] __attribute__((aligned(4096)));
	pthread_attr_t attributes;
	pthread_t thread;
	size_t unused = 0;

	memset(stack, UNUSED, SIZE);
	own = (struct unwind_stack){(uintptr_t)stack, (uintptr_t)stack + SIZE};
	pthread_attr_init(&attributes);
	EXPECT(pthread_attr_setstack(&attributes, stack, SIZE) == 0);
	EXPECT(pthread_create(&thread, &attributes, work, NULL) == 0);
	pthread_join(thread, NULL);
	while (unused < SIZE && stack[unused] == UNUSED)
		unused++;
	return SIZE - unused;
}

static void check_stack(void)
{
	stack_of(read_path); /* the first time resolves symbols */
	size_t least = stack_of(do_nothing), used = stack_of(read_path) - least;

	printf("%zu bytes of stack\n", used);
	EXPECT(used > 0 && used <= POMP_CALL_PATH_STACK);
}

/* Stores of one double, of bytes, and of words; what is in no file is not read. */
void stores(void);
extern const char store_double[], store_bytes[], store_words[];
__asm__(".text\n"
	".type stores, @function\n"
	"stores:\n"
	"\t.cfi_startproc\n"
	"store_double:\tmovsd %xmm0, (%rax)\n"
	"store_bytes:\trep stosb\n"
	"store_words:\trep stosq\n"
	"\tret\n"
	"\t.cfi_endproc\n"
	".size stores, . - stores\n");

static bool is_fault_at(const char *code, uint64_t flags, uint64_t destination)
{
	ucontext_t context;

	memset(&context, 0, sizeof(context));
	context.uc_mcontext.gregs[REG_RIP] = (greg_t)code;
	context.uc_mcontext.gregs[REG_EFL] = (greg_t)flags;
	context.uc_mcontext.gregs[REG_RDI] = (greg_t)destination;
	context.uc_mcontext.gregs[REG_RSI] = 0x1234567;
	return pomp_in_page_fault(&context);
}

/* An interrupt within a string instruction looks like a fault, except for where that stands. */
static void check_faults(void)
{
	const uint64_t resumes = 0x10246, others = 0x246;
	const char *const strings[] = {store_bytes, store_words};

	EXPECT(is_fault_at(store_double, resumes, 0x700123) &&
	       !is_fault_at(store_double, others, 0x700000));
	for (int i = 0; i < 2; i++)
		EXPECT(is_fault_at(strings[i], resumes, 0x700000) &&
		       is_fault_at(strings[i], resumes, 0x6fffe0) &&
		       !is_fault_at(strings[i], resumes, 0x700240) &&
		       !is_fault_at(strings[i], others, 0x700000));
	EXPECT(is_fault_at((const char *)16, resumes, 0x700123));
}

int main(int count, char **argument)
{
	pomp_call_path_prepare();
	own = pomp_call_path_stack();
	EXPECT(own.end > own.first);
	if (count > 1 && strcmp(argument[1], "stack") == 0)
		check_stack();
	else if (count > 1 && strcmp(argument[1], "faults") == 0)
		check_faults();
	else
		check_every_step();
	return 0;
}
