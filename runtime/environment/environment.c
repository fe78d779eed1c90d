/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The environment variables of OpenMP 5.1, of the GNU runtime and of OpenACC 2.6: the table, which
 * is read once. A value is read and printed by its kind (struct rt_value_kind); after all have been
 * read, this file settles how values affect each other, such as places for binding.
 */
#include "environment.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "acc-api.h"
#include "atomics.h"
#include "kmp-api.h"
#include "llvm.h"
#include "message.h"
#include "omp-api.h"
#include "places.h"
#include "process.h"
#include "resources.h"
#include "shared/debug-log.h"
#include "shared/race-log.h"
#include "thresholds.h"
#include "waiting.h"
#include "watch.h"

#define MEMBER(member) offsetof(struct rt_process, member)
#define WHOLE          0 /* for kinds that take the whole structure */

const struct rt_variable rt_variables[] = {
    {"OMP_DYNAMIC", &rt_kind_bool, MEMBER(initial.dyn), RT_VARIABLE_DEVICE, "the default",
	"whether regions get no more threads than there are processors"},
    {"OMP_NESTED", &rt_kind_nested, WHOLE, RT_VARIABLE_YIELDS, "the default",
	"whether parallel regions may nest; OMP_MAX_ACTIVE_LEVELS limits how deeply"},
    {"OMP_NUM_THREADS", &rt_kind_thread_list, MEMBER(nthreads_list), RT_VARIABLE_DEVICE,
	"all available processors",
	"threads of a parallel region, one number for each nesting level"},
    {"OMP_SCHEDULE", &rt_kind_schedule, MEMBER(initial), RT_VARIABLE_DEVICE, "the default",
	"schedule of the loops with schedule(runtime); if nothing sets it, loops in code of clang "
	"and flang are static"},
    {"OMP_PROC_BIND", &rt_kind_bind_list, MEMBER(bind_list), RT_VARIABLE_DEVICE,
	"bound if there are places",
	"whether and how threads are bound to places, one policy for each nesting level"},
    {"OMP_PLACES", &rt_kind_places, WHOLE, RT_VARIABLE_ALL, "threads are not bound",
	"which processors form places: threads, cores, ll_caches, numa_domains or sockets, with the "
	"largest number of places in parentheses, or places such as {first:count:stride}"},
    {"OMP_STACKSIZE", &rt_kind_stack_size, MEMBER(stack_bytes), RT_VARIABLE_DEVICE,
	"the system's default",
	"stack of each thread that the runtime makes; 0 is the system's default"},
    {"OMP_WAIT_POLICY", &rt_kind_wait_policy, MEMBER(wait_policy), RT_VARIABLE_DEVICE,
	"sleep after a short time",
	"whether waiting threads keep their processor (active) or sleep (passive)"},
    {"OMP_THREAD_LIMIT", &rt_kind_thread_limit, MEMBER(initial.thread_limit), RT_VARIABLE_DEVICE,
	"no limit", "most threads of a contention group (an initial thread and the regions in it)"},
    {"OMP_MAX_ACTIVE_LEVELS", &rt_kind_levels, WHOLE, RT_VARIABLE_DEVICE,
	"1 unless a list has more", "most nested parallel regions with more than one thread"},
    {"OMP_NUM_TEAMS", &rt_kind_positive, MEMBER(initial_num_teams), RT_VARIABLE_DEVICE,
	"the default",
	"most teams of a teams construct; 0 leaves the choice to the runtime, which makes three, and "
	"one in a target region"},
    {"OMP_TEAMS_THREAD_LIMIT", &rt_kind_positive, MEMBER(initial_teams_thread_limit),
	RT_VARIABLE_DEVICE, "no limit",
	"most threads of each team of a teams construct; 0 is no limit"},
    {"OMP_CANCELLATION", &rt_kind_bool, MEMBER(cancellation), RT_VARIABLE_GLOBAL, "the default",
	"whether cancel constructs have an effect"},
    {"OMP_DEFAULT_DEVICE", &rt_kind_device, MEMBER(initial.default_device),
	RT_VARIABLE_ALL | RT_VARIABLE_GLOBAL, "the host",
	"device of target regions that name none; there is only the host"},
    {"OMP_MAX_TASK_PRIORITY", &rt_kind_natural, MEMBER(max_task_priority), RT_VARIABLE_GLOBAL,
	"the default", "highest priority that tasks can have"},
    {"OMP_DISPLAY_AFFINITY", &rt_kind_bool, MEMBER(display_affinity), RT_VARIABLE_GLOBAL,
	"the default",
	"whether all threads of a parallel region print where they run, in the first region of a "
	"team and after a change of their number or of a place"},
    {"OMP_AFFINITY_FORMAT", &rt_kind_affinity_format, MEMBER(affinity_format), RT_VARIABLE_ALL,
	"the default", "what OMP_DISPLAY_AFFINITY prints for a thread"},
    {"OMP_ALLOCATOR", &rt_kind_allocator, MEMBER(initial.def_allocator), RT_VARIABLE_ALL,
	"the default", "allocator of memory for which the program names none"},
    {"OMP_TARGET_OFFLOAD", &rt_kind_offload, MEMBER(target_offload), RT_VARIABLE_GLOBAL,
	"the default",
	"whether target regions must, may or must not leave the host; mandatory ends the program"},
    {"OMP_TOOL", &rt_kind_enabled, MEMBER(tool), RT_VARIABLE_GLOBAL, "the default",
	"whether a tool for performance or correctness may observe the program (OMPT)"},
    {"OMP_TOOL_LIBRARIES", &rt_kind_string, MEMBER(tool_libraries), RT_VARIABLE_GLOBAL, "none",
	"libraries in which to look for a tool, in this order, with colons between them; a tool "
	"that is already in the program comes first"},
    {"OMP_TOOL_VERBOSE_INIT", &rt_kind_string, MEMBER(tool_verbose_init), RT_VARIABLE_GLOBAL,
	"disabled",
	"where to report the search for a tool: stdout, stderr or a file, to which the report is "
	"appended; disabled for nowhere"},
    {"OMP_DEBUG", &rt_kind_debug, MEMBER(debug), RT_VARIABLE_GLOBAL, "the default",
	"whether to keep data that only a debugger needs"},
    {"OMP_DISPLAY_ENV", &rt_kind_display_env, MEMBER(display_env), RT_VARIABLE_HIDDEN,
	"the default",
	"whether to print this list at start; verbose adds the variables that begin with GOMP_"},
    {"GOMP_CPU_AFFINITY", &rt_kind_cpu_affinity, WHOLE, RT_VARIABLE_GNU | RT_VARIABLE_YIELDS,
	"OMP_PLACES, or threads are not bound",
	"processors to bind threads to, such as 0 3 1-2 4-15:2; an older form of OMP_PLACES"},
    {"GOMP_STACKSIZE", &rt_kind_stack_size, MEMBER(stack_bytes),
	RT_VARIABLE_GNU | RT_VARIABLE_YIELDS, "OMP_STACKSIZE, or the system's default",
	"an older name of OMP_STACKSIZE"},
    {"OMPINST_RESOURCES", &rt_kind_resources, MEMBER(resources), RT_VARIABLE_HIDDEN, "all",
	"what the default number of threads and waits follow: the quota of control groups, the "
	"affinity of a thread that begins to use OpenMP, and changes of both while the program runs, "
	"which need OMP_DYNAMIC; roots, other threads of the program whose regions share the processors, "
	"which needs OMP_DYNAMIC too; none for what the affinity mask allowed at the start"},
    {"OMPINST_KEEP_MEMORY", &rt_kind_bytes, MEMBER(kept_bytes), RT_VARIABLE_HIDDEN, "1M",
	"blocks of memory up to this size, and twice as much in all, stay with the process when the "
	"program frees them, where glibc's malloc() is used and nothing else has set its thresholds; "
	"0 leaves malloc() as it is, 32M is the most that has an effect"},
    {"OMPINST_GROUP_SIZE", &rt_kind_natural, MEMBER(group_size), RT_VARIABLE_HIDDEN,
	"groups of 8 in teams of more than 8, where each thread has a processor",
	"members of a team that watch one line of memory at barriers and between regions; larger teams "
	"are divided into groups of that size, which pass values on to each other; 1 divides none"},
    {"KMP_DETERMINISTIC_REDUCTION", &rt_kind_flag, MEMBER(ordered_reductions), RT_VARIABLE_LLVM,
	"the default",
	"whether the threads of a team combine their parts of a reduction in the order of their "
	"numbers, in programs of clang, flang and icx; with the same threads and static "
	"schedules sums are then the same in each run"},
    {"KMP_AFFINITY", &rt_kind_llvm_affinity, WHOLE, RT_VARIABLE_LLVM_YIELDS,
	"OMP_PLACES and OMP_PROC_BIND, or threads are not bound",
	"how threads are bound: compact as OMP_PROC_BIND=close, scatter and balanced as spread, explicit to "
	"the processors of a list, none and disabled not at all; granularity says what a place is, core if "
	"nothing does; permute and offset have no effect"},
    {"KMP_ALL_THREADS", &rt_kind_thread_limit, MEMBER(initial.thread_limit),
	RT_VARIABLE_LLVM_YIELDS, "OMP_THREAD_LIMIT, or no limit",
	"an older name of OMP_THREAD_LIMIT"},
    {"KMP_BLOCKTIME", &rt_kind_block_time, MEMBER(block_time), RT_VARIABLE_LLVM_YIELDS,
	"OMP_WAIT_POLICY, or sleep after a short time",
	"for how long waiting threads keep their processor; 0 is OMP_WAIT_POLICY=passive, infinite is active, "
	"and 200, libomp's default, is this runtime's own"},
    {"KMP_DEVICE_THREAD_LIMIT", &rt_kind_thread_limit, MEMBER(initial.thread_limit),
	RT_VARIABLE_LLVM_YIELDS, "OMP_THREAD_LIMIT, or no limit",
	"an older name of OMP_THREAD_LIMIT"},
    {"KMP_LIBRARY", &rt_kind_library, WHOLE, RT_VARIABLE_LLVM_YIELDS, "throughput",
	"serial is OMP_THREAD_LIMIT=1, turnaround is KMP_BLOCKTIME=infinite"},
    {"KMP_SETTINGS", &rt_kind_flag, MEMBER(llvm_settings), RT_VARIABLE_LLVM_CODE, "the default",
	"whether to print the settings at start, as OMP_DISPLAY_ENV=true does"},
    {"KMP_STACKSIZE", &rt_kind_stack_bytes, MEMBER(stack_bytes), RT_VARIABLE_LLVM_YIELDS,
	"OMP_STACKSIZE, or the system's default", "stack of each thread that the runtime makes"},
    {"KMP_TEAMS_THREAD_LIMIT", &rt_kind_positive, MEMBER(initial_teams_thread_limit),
	RT_VARIABLE_LLVM_YIELDS, "OMP_TEAMS_THREAD_LIMIT, or no limit",
	"an older name of OMP_TEAMS_THREAD_LIMIT"},
    {"KMP_WARNINGS", &rt_kind_flag, MEMBER(llvm_warnings), RT_VARIABLE_LLVM_CODE, "the default",
	"whether to report variables that could not be used"},
    {RACE_VARIABLE, &rt_kind_string, MEMBER(race_words), RT_VARIABLE_HIDDEN, "none",
	"which order `ompinst race run` forces on the threads of a program that was built with "
	"-fsanitize=thread, and where reports go; it sets this itself"},
    {"GOMP_SPINCOUNT", &rt_kind_spin_count, WHOLE, RT_VARIABLE_GNU, "as OMP_WAIT_POLICY has it",
	"turns of the loop that a waiting thread makes before it sleeps"},
    {"ACC_DEVICE_TYPE", &rt_kind_acc_type, MEMBER(acc_device_type), RT_VARIABLE_HIDDEN, "the host",
	"device type of OpenACC's constructs; there is only the host"},
    {"ACC_DEVICE_NUM", &rt_kind_acc_number, MEMBER(acc_device_num), RT_VARIABLE_HIDDEN, "the host",
	"which device of its type OpenACC's constructs use; there is only the host, number 0"},
    {"ACC_PROFLIB", &rt_kind_string, MEMBER(acc_tools), RT_VARIABLE_HIDDEN, "none",
	"libraries of profiling tools for OpenACC to load, with semicolons between them"},
    {NULL}};

enum { VARIABLES = sizeof(rt_variables) / sizeof(rt_variables[0]) - 1 };
enum { NAME_SIZE = 40 }; /* the longest name and "_ALL" */

static void set_defaults(struct rt_process *process)
{
	static const struct rt_task_icvs initial = {.nthreads = 1,
	    .thread_limit = RT_THREAD_LIMIT_NONE,
	    .run_sched_kind = RT_SCHEDULE_DYNAMIC,
	    .run_sched_chunk = 1,
	    .run_sched_is_default = true,
	    .max_active_levels = 1,
	    .default_device = omp_default_device, /* placeholder until all variables are read */
	    .def_allocator = omp_default_mem_alloc};

	process->initial = initial;
	process->acc_device_type = acc_device_host;
	process->acc_tools = "";
	process->tool = true;
	process->tool_libraries = "";
	process->tool_verbose_init = "disabled";
	process->race_words = "";
	process->has_llvm = rt_environment_has_llvm();
	process->llvm_warnings = true;
	store_relaxed(&process->library, KMP_THROUGHPUT);
	store_relaxed(&process->block_time, RT_BLOCK_TIME_DEFAULT);
	store_relaxed(&process->spin_count, RT_SPIN_DEFAULT);
	process->resources = RT_RESOURCE_ALL;
	store_relaxed(&process->kept_bytes, (size_t)1 << 20);
	if (!rt_processors_init_allowed(&process->allowed))
		process->allowed = (struct rt_processors){NULL, 0};
}

/*
 * The variable's text, or NULL. If NAME is not set, NAME_ALL applies to the host and to devices
 * (OpenMP 5.2, 21); NAME_DEV and NAME_DEV_number apply only to devices, of which there are none.
 * Stores in `name` the name that was looked up last.
 */
static const char *find_text(const struct rt_variable *variable, char name[NAME_SIZE])
{
	const char *value = getenv(variable->name);
	struct rt_text text;

	rt_text_init(&text, name, NAME_SIZE);
	rt_text_add_words(&text, variable->name);
	if (value || !(variable->flags & RT_VARIABLE_ALL))
		return value;
	rt_text_add_words(&text, "_ALL");
	return getenv(name);
}

/* Reads the variables that yield, or the others; records the text of each that was not usable. */
static void read_variables(unsigned yields, const char *rejected[VARIABLES])
{
	for (int i = 0; i < VARIABLES; i++) {
		const struct rt_variable *variable = &rt_variables[i];
		if ((variable->flags & RT_VARIABLE_YIELDS) != yields ||
		    ((variable->flags & RT_VARIABLE_LLVM_CODE) == RT_VARIABLE_LLVM_CODE &&
			!rt_process.has_llvm))
			continue;
		char name[NAME_SIZE];
		const char *text = find_text(variable, name);
		if (text && !variable->kind->parse(
				variable->kind, text, rt_variable_field(variable, &rt_process)))
			rejected[i] = text;
	}
}

/* Makes a list of one element, which stays empty if there is no memory. */
static void set_single(struct rt_value_list *list, uint32_t value)
{
	list->values = malloc(sizeof(*list->values));
	if (!list->values)
		return;
	list->values[0] = value;
	list->count = 1;
}

/*
 * Binding needs places and places imply binding (OpenMP 5.1, 6.4 and 6.5): places alone switch
 * binding on, a policy alone makes each processor a place, and false makes places meaningless.
 */
static void complete_binding(struct rt_process *process)
{
	uint32_t dropped;

	if (process->bind_list.count == 0)
		set_single(
		    &process->bind_list, process->places.count > 0 ? RT_BIND_TRUE : RT_BIND_FALSE);
	uint32_t bind = process->bind_list.count > 0 ? process->bind_list.values[0] : RT_BIND_FALSE;
	if (bind == RT_BIND_FALSE)
		rt_places_finish(&process->places);
	else if (process->places.count == 0)
		rt_places_parse(&process->places, "threads", RT_SYSFS, &process->allowed, &dropped);
	process->initial.bind = (uint8_t)bind;
	process->initial.partition_first = 0;
	process->initial.partition_length = process->places.count;
}

static void complete_groups(struct rt_process *process)
{
	process->undivided_size = process->group_size == 0   ? (uint32_t)RT_GROUP_SIZE
				  : process->group_size == 1 ? UINT32_MAX
							     : (uint32_t)process->group_size;
}

static uint32_t default_threads(const struct rt_process *process)
{
	uint32_t processors = load_relaxed(&process->processors);
	uint32_t limit = process->initial.thread_limit;

	return processors < limit ? processors : limit;
}

/* Sets what is not set as it follows from what is. */
static void complete(struct rt_process *process)
{
	rt_resources_read_mask(process);
	if (process->nthreads_list.count == 0) {
		process->initial.follows_processors = true;
		set_single(&process->nthreads_list, default_threads(process));
	}
	if (process->nthreads_list.count > 0)
		process->initial.nthreads = process->nthreads_list.values[0];
	if (!process->levels_given &&
	    (process->nthreads_list.count > 1 || process->bind_list.count > 1))
		process->initial.max_active_levels = RT_MAX_ACTIVE_LEVELS;
	if (process->initial.default_device == omp_default_device)
		process->initial.default_device =
		    process->target_offload == RT_OFFLOAD_MANDATORY ? omp_invalid_device : 0;
	store_relaxed(&process->num_teams, process->initial_num_teams);
	store_relaxed(&process->teams_thread_limit, process->initial_teams_thread_limit);
	if (rt_watched(RT_BY_DEBUGGER)) /* omp_debug_enable() was called before */
		process->debug = true;
	rt_watch((process->debug ? RT_BY_DEBUGGER : 0) |
		 (process->cancellation ? RT_BY_CANCELLATION : 0) |
		 (process->display_affinity ? RT_BY_DISPLAY : 0));
	/* Both make waits the same, so the policy is shown. */
	if (process->wait_policy == RT_WAIT_UNSET &&
	    load_relaxed(&process->block_time) == RT_BLOCK_TIME_INFINITE)
		process->wait_policy = RT_WAIT_ACTIVE;
	if (process->llvm_settings && process->display_env == RT_DISPLAY_FALSE)
		process->display_env = RT_DISPLAY_TRUE;
	complete_binding(process);
	rt_waiting_settle(process);
	complete_groups(process);
}

/* The value of a variable as text from malloc(), or NULL. */
static char *value_text(const struct rt_variable *variable)
{
	struct rt_text text;

	rt_text_init(&text, NULL, 0);
	variable->kind->print(variable->kind, rt_variable_field(variable, &rt_process), &text);
	size_t size = text.used + 1;
	char *value = malloc(size);
	if (value) {
		rt_text_init(&text, value, size);
		variable->kind->print(
		    variable->kind, rt_variable_field(variable, &rt_process), &text);
	}
	return value;
}

static void report(const char *const rejected[VARIABLES])
{
	for (int i = 0; i < VARIABLES; i++) {
		const struct rt_variable *variable = &rt_variables[i];
		if (!rejected[i])
			continue;
		char *value = value_text(variable), name[NAME_SIZE];
		find_text(variable, name);
		rt_message("%s='%s': expected %s; using %s (%s)", name, rejected[i],
		    variable->kind->expected, value && *value ? value : "none", variable->unset);
		free(value);
	}
	if (rt_process.places_dropped > 0)
		rt_message("%s: %u of the places named have no processor that this process may use;"
			   " using the other %u",
		    rt_process.places_variable, rt_process.places_dropped, rt_process.places.count);
}

/*
 * If no limit is set, OMP_DISPLAY_ENV shows libgomp's number, and a debugger shows that of the ICV.
 */
static void append_control_value(struct rt_text *out, const struct rt_variable *variable)
{
	const void *field = rt_variable_field(variable, &rt_process);

	if (variable->kind == &rt_kind_thread_limit)
		rt_text_add_number(out, *(const uint32_t *)field);
	else
		variable->kind->print(variable->kind, field, out);
}

/*
 * The block that ompd copies from the process; see struct rt_process. KMP_AFFINITY is left out,
 * since OMP_PLACES and OMP_PROC_BIND show its effect.
 */
static void append_control_variables(struct rt_text *out)
{
	for (const struct rt_variable *variable = rt_variables; variable->name; variable++) {
		if (variable->kind == &rt_kind_llvm_affinity ||
		    ((variable->flags & RT_VARIABLE_LLVM) == RT_VARIABLE_LLVM &&
			!rt_process.has_llvm))
			continue;
		rt_text_add_words(out, variable->name);
		rt_text_add_bytes(out, "=", 1);
		append_control_value(out, variable);
		rt_text_add_bytes(out, "", 1);
	}
}

/*
 * The formatting is little work without stdio: a process that merely has the library loaded spends
 * some microseconds on it at its start. Without memory the debugger finds no variable.
 */
static void keep_text(struct rt_process *process)
{
	char first_try[1024], *old = process->control_variables;
	struct rt_text text;

	rt_text_init(&text, first_try, sizeof(first_try));
	append_control_variables(&text);
	size_t size = text.used;
	char *kept = malloc(size + 1);
	if (!kept)
		return;
	if (size < sizeof(first_try)) {
		memcpy(kept, first_try, size);
	} else {
		rt_text_init(&text, kept, size + 1);
		append_control_variables(&text);
	}
	process->control_variables = NULL;
	order_for_compiler(); /* a debugger may stop the process in between */
	process->control_variables_size = size;
	order_for_compiler();
	process->control_variables = kept;
	free(old);
}

static void use_quota(void)
{
	struct rt_process *process = &rt_process;
	uint32_t threads;

	rt_resources_read_quota(process);
	threads = default_threads(process);
	if (!process->initial.follows_processors || process->nthreads_list.count == 0 ||
	    process->initial.nthreads == threads)
		return;
	process->initial.nthreads = process->nthreads_list.values[0] = threads;
	keep_text(process);
}

static void use(void)
{
	use_quota();
	rt_malloc_raise_thresholds(load_relaxed(&rt_process.kept_bytes));
}

void rt_environment_use(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, use);
}

void rt_environment_read(void)
{
	const char *rejected[VARIABLES] = {NULL};

	set_defaults(&rt_process);
	read_variables(RT_VARIABLE_YIELDS, rejected);
	read_variables(0, rejected);
	complete(&rt_process);
	keep_text(&rt_process);
	if (rt_process.llvm_warnings)
		report(rejected);
	if (rt_process.has_llvm && rt_process.display_env != RT_DISPLAY_FALSE)
		rt_environment_report_unknown(rt_variables);
	DEBUG_LOG(setting,
	    "%u processors, %u threads a region, %u active levels, spins %llu turns (%llu when "
	    "oversubscribed)",
	    load_relaxed(&rt_process.processors), rt_process.initial.nthreads,
	    rt_process.initial.max_active_levels,
	    (unsigned long long)load_relaxed(&rt_process.spin_count),
	    (unsigned long long)load_relaxed(&rt_process.spin_oversubscribed));
	DEBUG_LOG(place, "%u places (%s), %u without usable processors left out, bind-var %u",
	    rt_process.places.count,
	    rt_process.places_variable ? rt_process.places_variable : "no variable names them",
	    rt_process.places_dropped, rt_process.initial.bind);
}

/*
 * Sets counts to zero first: a detached thread that still calls the library must not use freed
 * memory.
 */
