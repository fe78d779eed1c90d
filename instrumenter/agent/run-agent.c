/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * This library is loaded into each program under `ompinst run`. It prints one line, once for all
 * processes, about what is measured, or at the end of the first process why nothing was. Whether a
 * program uses OpenMP shows only while it runs: Python, for example, loads libraries on demand.
 *
 * Because it is in the program's own address space, a runtime asks it first for a tool. It records
 * this and declines, so that the runtime continues with OMP_TOOL_LIBRARIES. Other processes store
 * what they find in memory that they share with the first one. The library holds no lock, opens no
 * file, and reads the environment only in this file.
 */
#include "exec.h"

#include "shared/run-agent.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As in omp-tools.h; the result is passed on without being read. */
struct ompt_start_tool_result;
struct ompt_start_tool_result *ompt_start_tool(unsigned version, const char *runtime);

enum { LONGEST_NAME = 64 };

/* Shared by all processes. Each word is independent; none orders accesses to other memory. */
struct record {
	char mark[8];               /* shows that this is not another program's memory */
	atomic_uint said;           /* the line about what is measured was printed */
	atomic_uint measured;       /* processes in which a runtime asked for a tool */
	atomic_uint idle;           /* those of them that ended without a region */
	atomic_uint busy;           /* processes that ended after executing a region */
	atomic_uint own_tool;       /* processes that have their own tool */
	atomic_uint silent;         /* processes in which a runtime did not ask for a tool */
	char runtime[LONGEST_NAME]; /* its name, from the first process that set silent */
};

static const char record_mark[8] = "ompirun";

/* Written by the constructor, and by any thread that starts a runtime. */
static struct agent {
	pid_t root;       /* 0: not under `ompinst run` */
	pid_t asked;      /* this process, if a runtime in it has asked for a tool */
	pid_t forked;     /* this process, if it is a child of fork() that runs no other program */
	const char *tool; /* path of our tool */
	char *folder;     /* the folder in which the process started, or NULL */
	const char *preload; /* what `ompinst run` put into LD_PRELOAD */
	bool quiet;
	bool explained; /* it was reported why nothing is measured in the first process */
	struct record own,
	    *record; /* the record of all processes, or the own one if there is none */
	bool is_shared;
	int error; /* the first process's copy of standard error, which programs may close, or -1 */
	dev_t error_device; /* of standard error at the start */
	ino_t error_inode;
	long children; /* page faults of children before the program started */
	bool ended;
	void (*next_exit)(int); /* _exit() of libc or of a sanitizer */
} agent = {.record = &agent.own, .error = -1};

/* Is the descriptor still the original standard error? A daemon may have another file there. */
static bool is_error(int descriptor)
{
	struct stat status;

	return fstat(descriptor, &status) == 0 && status.st_dev == agent.error_device &&
	       status.st_ino == agent.error_inode;
}

/* Prints a line on standard error. */
static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
	char line[512] = "ompinst: ";
	size_t used = strlen(line);
	va_list arguments;
	int saved = errno;

	va_start(arguments, format);
	vsnprintf(line + used, sizeof line - used - 1, format, arguments);
	va_end(arguments);
	stpcpy(line + strlen(line), "\n");
	int descriptor = is_error(STDERR_FILENO) ? STDERR_FILENO : agent.error;
	if (is_error(descriptor) && write(descriptor, line, strlen(line)) < 0)
		agent.quiet = true;
	errno = saved;
}

/*
 * Runs in a child of fork(): closes the copy of standard error, because the child may be a daemon
 * whose starter waits for the end of standard error.
 */
static void child_begins(void)
{
	agent.forked = getpid();
	if (agent.error >= 0 && is_error(agent.error))
		close(agent.error);
	agent.error = -1;
}

static long faults_of_children(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_CHILDREN, &usage) == 0 ? usage.ru_minflt : 0;
}

static const char *base_of(const char *path)
{
	const char *slash = path != NULL ? strrchr(path, '/') : NULL;

	return slash != NULL ? slash + 1 : path != NULL ? path : "";
}

/* The first process makes the record, which lives as long as any process has it open. */
static void make_record(char *value)
{
	int number = shmget(IPC_PRIVATE, sizeof(struct record), 0600);
	char digits[RUN_AGENT_DIGITS + 1];
	void *memory = number >= 0 ? shmat(number, NULL, 0) : (void *)-1;

	if (number >= 0)
		shmctl(number, IPC_RMID, NULL);
	if (memory == (void *)-1)
		return;
	agent.record = memory;
	memcpy(agent.record->mark, record_mark, sizeof record_mark);
	agent.is_shared = true;
	/* Written into the environment itself, which children inherit. */
	snprintf(digits, sizeof digits, "%0*d", RUN_AGENT_DIGITS, number);
	memcpy(value + RUN_AGENT_RECORD, digits, RUN_AGENT_DIGITS);
}

/* Finds the first process's record; fails if that process has ended. */
static void find_record(void)
{
	const char *value = secure_getenv(RUN_AGENT_VARIABLE);
	int number = value != NULL ? atoi(value + RUN_AGENT_RECORD) : 0;
	struct shmid_ds status;

	if (agent.is_shared || number == 0 || shmctl(number, IPC_STAT, &status) != 0 ||
	    status.shm_segsz != sizeof(struct record))
		return;
	void *memory = shmat(number, NULL, 0);
	if (memory == (void *)-1)
		return;
	if (memcmp(((struct record *)memory)->mark, record_mark, sizeof record_mark) != 0) {
		shmdt(memory);
		return;
	}
	agent.record = memory;
	agent.is_shared = true;
}

static bool is_valid(const char *value)
{
	size_t length = value != NULL ? strlen(value) : 0;

	return length > RUN_AGENT_TOOL && value[RUN_AGENT_DIGITS] == ':' &&
	       value[RUN_AGENT_MODE - 1] == ':' && value[RUN_AGENT_TOOL - 1] == ':' &&
	       strchr(value + RUN_AGENT_TOOL, ':') != NULL;
}

/* A function of the measurement library, or NULL if the library is not loaded. */
static void *find_in_library(const char *name)
{
	void *library = dlopen("libpomp.so.0", RTLD_NOLOAD | RTLD_LAZY);

	return library != NULL ? dlsym(library, name) : NULL;
}

/*
 * Loads the measurement library in the first process, so that it sees what the initial thread does
 * without OpenMP. A runtime loads the same library as its tool later. An instrumented program has
 * it already.
 */
static void watch(void)
{
	int error = errno;

	if (find_in_library("pomp_init") == NULL)
		// cppcheck-suppress leakReturnValNotUsed ; it stays loaded
		dlopen(agent.tool, RTLD_LAZY | RTLD_LOCAL);
	errno = error;
}

__attribute__((constructor)) static void begin(void)
{
	static char paths[4096];
	char *value = secure_getenv(RUN_AGENT_VARIABLE);
	struct stat status;

	*(void **)&agent.next_exit = dlsym(RTLD_NEXT, "_exit");
	if (!is_valid(value) || strlen(value) >= sizeof paths)
		return;
	agent.root = atoi(value);
	agent.quiet = value[RUN_AGENT_MODE] == RUN_AGENT_QUIET;
	agent.explained = value[RUN_AGENT_MODE] == RUN_AGENT_EXPLAINED;
	stpcpy(paths, value + RUN_AGENT_TOOL);
	char *preload = strchr(paths, ':');
	*preload++ = '\0';
	agent.folder = getcwd(NULL, 0);
	agent.tool = paths;
	agent.preload = preload;
	exec_keep(paths, preload);
	if (fstat(STDERR_FILENO, &status) == 0) {
		agent.error_device = status.st_dev;
		agent.error_inode = status.st_ino;
	}
	pthread_atfork(NULL, NULL, child_begins);
	if (getpid() != agent.root)
		return;
	make_record(value);
	agent.children = faults_of_children();
	/* Above the numbers that shells and their scripts use. */
	agent.error = agent.quiet ? -1 : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
	if (!agent.explained)
		watch();
}

__attribute__((visibility("default"))) const char *ompinst_run_start_folder(void)
{
	return agent.folder;
}

/* The name of the library that an address belongs to. */
static const char *library_of(const void *address)
{
	Dl_info info;

	return dladdr(address, &info) != 0 ? base_of(info.dli_fname) : "a runtime";
}

/*
 * Prints what is measured, once for all processes. linked: the program already contains our tool.
 */
static void announce(const char *runtime, bool linked)
{
	const char *name = program_invocation_short_name;
	bool bundled = strncmp(runtime, "libgomp", 7) == 0;

	if (agent.quiet || (!agent.is_shared && getpid() != agent.root) ||
	    atomic_fetch_add(&agent.record->said, 1) != 0)
		return;
	if (linked)
		say("measuring %s: ompinst linked it so", name);
	else if (bundled)
		say("measuring %s: it runs on the bundled OpenMP runtime", name);
	else
		say("measuring %s: it runs on %s, which reports to tools", name, runtime);
}

/*
 * Unless this is the first measured process, its summary goes to a file of its own, like that of a
 * forked child. The measurement library has not read the variable yet.
 */
static void separate_summary(void)
{
	const char *file = secure_getenv("POMP_SUMMARY");
	char *own = NULL;

	if (file == NULL || file[0] == '\0' || strcmp(file, "stderr") == 0 ||
	    strcmp(file, "off") == 0 || asprintf(&own, "%s-%ld", file, (long)getpid()) < 0)
		return;
	setenv("POMP_SUMMARY", own, 1);
	free(own);
}

/*
 * The function that an OpenMP runtime calls first. A tool in the program or one of its libraries
 * takes precedence over ours, which only OMP_TOOL_LIBRARIES names; that tool may also be ours.
 */
__attribute__((visibility("default"))) struct ompt_start_tool_result *ompt_start_tool(
    unsigned version, const char *runtime)
{
	struct ompt_start_tool_result *(*next)(unsigned, const char *);
	struct ompt_start_tool_result *result = NULL;

	*(void **)&next = dlsym(RTLD_NEXT, "ompt_start_tool");
	if (next != NULL)
		result = next(version, runtime);
	if (agent.root == 0)
		return result;
	find_record();
	bool ours = result != NULL && strcmp(library_of((void *)next), base_of(agent.tool)) == 0;
	if (result != NULL && !ours) {
		atomic_fetch_add(&agent.record->own_tool, 1);
		return result;
	}
	/* A process can contain two runtimes. */
	if (agent.asked != getpid() && atomic_fetch_add(&agent.record->measured, 1) > 0)
		separate_summary();
	agent.asked = getpid();
	announce(library_of(__builtin_return_address(0)), ours);
	return result;
}

/* Is this a library that `ompinst run` has preloaded by this path? */
static bool is_preloaded(const char *path)
{
	return path != NULL && path[0] != '\0' && strstr(agent.preload, path) != NULL;
}

/* Finds OpenMP runtimes other than the bundled one, which may also have LLVM's name. */
static int find_runtime(struct dl_phdr_info *info, size_t size, void *result)
{
	static const char *const runtimes[] = {"libomp.so", "libomp-", "libomp5", "libiomp5",
	    "libgomp-", "libnvomp", "libcraymp", "libxlsmp", "libgomp_"};
	const char *file = base_of(info->dlpi_name);

	(void)size;
	for (size_t i = 0; i < sizeof runtimes / sizeof runtimes[0]; i++)
		if (strncmp(file, runtimes[i], strlen(runtimes[i])) == 0 &&
		    !is_preloaded(info->dlpi_name)) {
			*(const char **)result = file;
			return 1;
		}
	return 0;
}

/*
 * Does the program itself contain a tool? The runtime finds it before this library, which is then
 * never asked.
 */
static bool has_own_tool(void)
{
	void *tool = dlsym(RTLD_DEFAULT, "ompt_start_tool");
	Dl_info found, own;

	return tool != NULL && dladdr(tool, &found) != 0 && dladdr(&agent, &own) != 0 &&
	       found.dli_fbase != own.dli_fbase;
}

/*
 * Prints where the first process spent its time without OpenMP; false: nothing is known. Called
 * when the process exits, because then the measurement library ends with it.
 */
static bool tell_serial(void)
{
	bool (*tell)(void);

	*(void **)&tell = find_in_library("pomp_code_tell_serial");
	return tell != NULL && tell();
}

static void say_why_not(bool by_exit)
{
	const struct record *record = agent.record;
	const char *name = program_invocation_short_name;
	bool others = faults_of_children() > agent.children;

	if (atomic_load(&record->own_tool) > 0)
		say("nothing was measured: the program has an OpenMP tool of its own "
		    "(ompt_start_tool), and there can be only one");
	else if (atomic_load(&record->silent) > 0)
		say("nothing was measured: %.*s asked for no tool: either no region ran, or it was "
		    "built without OMPT",
		    LONGEST_NAME, record->runtime);
	else if (by_exit && tell_serial())
		return;
	else if (agent.is_shared || !others)
		say("nothing was measured: no OpenMP region ran in %s%s", name,
		    others ? " or the programs that it started" : "");
}

/*
 * Records whether anything was measured in this process. If another tool than ours was used, the
 * answer is yes.
 */
static void note_regions(void)
{
	bool (*has_regions)(void);

	*(void **)&has_regions = find_in_library("pomp_code_has_regions");
	if (has_regions == NULL && agent.asked != getpid())
		return;
	if (has_regions == NULL || has_regions())
		atomic_fetch_add(&agent.record->busy, 1);
	else if (agent.asked == getpid())
		atomic_fetch_add(&agent.record->idle, 1);
}

/* Records what a process contains in which no runtime asked for a tool. */
static void note_silence(void)
{
	const char *runtime = NULL;

	if (has_own_tool())
		atomic_fetch_add(&agent.record->own_tool, 1);
	dl_iterate_phdr(find_runtime, &runtime);
	if (runtime != NULL && atomic_fetch_add(&agent.record->silent, 1) == 0)
		snprintf(agent.record->runtime, sizeof agent.record->runtime, "%s", runtime);
}

/* Called at the end of a process. by_exit: not by _exit(), which a signal handler can call. */
static void end(bool by_exit)
{
	if (agent.root == 0 || agent.ended)
		return;
	agent.ended = true;
	find_record();
	const struct record *record = agent.record;
	if (by_exit && atomic_load(&record->measured) > 0)
		note_regions();
	else if (by_exit)
		note_silence();
	/* If a process ended in another way, it is unknown whether it executed a region. */
	if (atomic_load(&record->measured) > atomic_load(&record->idle) ||
	    atomic_load(&record->busy) > 0)
		return;
	if (getpid() == agent.root && !agent.quiet && !agent.explained)
		say_why_not(by_exit);
}

__attribute__((destructor)) static void finish(void)
{
	end(true);
}

/*
 * Shells end with _exit(), and so do children of fork() that must not run their parent's exit
 * handlers, such as Python's multiprocessing. These report, too. A child of vfork() shares its
 * parent's memory but has another process id, and a first process may be in a signal handler:
 * there, only the line is printed.
 */
__attribute__((visibility("default"))) void _exit(int status)
{
	void (*finalize)(void);

	if (agent.root != 0 && getpid() == agent.forked) {
		*(void **)&finalize = find_in_library("pomp_finalize");
		if (finalize != NULL)
			finalize();
		end(true);
	}
	if (agent.root != 0 && getpid() == agent.root)
		end(false);
	if (agent.next_exit != NULL)
		agent.next_exit(status);
	for (;;)
		syscall(SYS_exit_group, status);
}

__attribute__((visibility("default"), alias("_exit"))) void _Exit(int status);
