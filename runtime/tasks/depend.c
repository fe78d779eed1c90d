/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dependences among the children of one task. A table, which only the parent's thread touches, maps
 * an address to the children that last named it. These are the current cohort, whose members do not
 * wait for each other (one `out`, or any number of `in`, or of `inoutset`), and the cohort before
 * it, for which all of them wait. mutexinoutset is treated as inout: the tasks exclude each other,
 * in order.
 *
 * A node stands for a child in the table and may outlive it there. Its successors are a lock-free
 * list that is closed when the child completes:
 *   successors  push with release, close with acq_rel: the closer sees every edge; a thread
 *               that finds it closed (acquire) sees all that the task wrote and needs no edge
 *   blockers    predecessors not completed, plus one while the node is being entered; sequential
 *               subtraction: the thread that subtracts last sees what all predecessors wrote, and a
 *               thread that waits is woken without fail
 *   refs        the task itself and each place in a cohort; with a tool also the task's record
 */
#include "depend.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "race.h"
#include "shared/array.h"
#include "shared/precondition.h"
#include "slab.h"
#include "tasks.h"
#include "team.h"
#include "tsan.h"
#include "wait-note.h"
#include "watch.h"

struct rt_depend_edge rt_depend_closed;
#define CLOSED (&rt_depend_closed)

/* The kinds that differ: mutexinoutset is a KIND_OUT, like inout. */
enum kind { KIND_NONE, KIND_OUT, KIND_IN, KIND_SET };

struct item {
	void *address; /* NULL: all memory */
	enum kind kind;
};

/*
 * A special array: nearly every cohort has one node, which needs no memory, and completed nodes are
 * dropped before it grows. Each dependence of each task passes here.
 */
struct cohort {
	enum kind kind;
	uint32_t count, capacity;
	struct rt_depend_node **nodes; /* `only` until there are more */
	struct rt_depend_node *only;
};

struct entry {
	const void *address; /* NULL: free */
	struct cohort current, previous;
};

/*
 * A special hash table: an entry holds both cohorts, so that one search finds all that a dependence
 * needs.
 */
struct rt_depend_table {
	uint32_t used, capacity; /* capacity is a power of two */
	struct entry *entries;
	struct rt_depend_node *everything; /* last task that named all memory, or NULL */
};

/*
 * The compiler's list of a task's dependences is an array of words, either with a first word that
 * is not 0 or with the first word 0:
 *   {total, out and inout, addresses ...}
 *   {0, total, out and inout, mutexinoutset, in, addresses ..., depend objects ...}
 * The addresses are in the order of the numbers. A depend object is two words, address and kind.
 */
static size_t item_count(void **depend)
{
	return (size_t)(uintptr_t)(depend[0] != NULL ? depend[0] : depend[1]);
}

/* The kinds in a depend object are GOMP_DEPEND_IN, OUT, INOUT, MUTEXINOUTSET, INOUTSET: 1 .. 5. */
static struct item item_at(void **depend, size_t index)
{
	size_t outs, others, ins;

	if (depend[0] != NULL)
		return (struct item){
		    depend[2 + index], index < (size_t)(uintptr_t)depend[1] ? KIND_OUT : KIND_IN};
	outs = (size_t)(uintptr_t)depend[2];
	others = (size_t)(uintptr_t)depend[3];
	ins = (size_t)(uintptr_t)depend[4];
	if (index < outs + others)
		return (struct item){depend[5 + index], KIND_OUT};
	if (index < outs + others + ins)
		return (struct item){depend[5 + index], KIND_IN};
	void **object = depend[5 + index];
	switch ((uintptr_t)object[1]) {
	case 1:
		return (struct item){object[0], KIND_IN};
	case 5:
		return (struct item){object[0], KIND_SET};
	default:
		return (struct item){object[0], KIND_OUT};
	}
}

/*
 * What a tool is shown. The compiler's list does not distinguish out from inout, while a depend
 * object, which may occur in either form, has a kind of its own.
 */
static ompt_dependence_t shown_at(void **depend, size_t index)
{
	static const ompt_dependence_type_t kinds[] = {ompt_dependence_type_inout,
	    ompt_dependence_type_in, ompt_dependence_type_out, ompt_dependence_type_inout,
	    ompt_dependence_type_mutexinoutset, ompt_dependence_type_inoutset};
	struct item item = item_at(depend, index);
	ompt_dependence_t shown = {.variable.ptr = item.address};
	size_t outs, others, ins;

	shown.dependence_type =
	    item.kind == KIND_IN ? ompt_dependence_type_in : ompt_dependence_type_inout;
	if (depend[0] == NULL) {
		outs = (size_t)(uintptr_t)depend[2];
		others = (size_t)(uintptr_t)depend[3];
		ins = (size_t)(uintptr_t)depend[4];
		if (index >= outs && index < outs + others)
			shown.dependence_type = ompt_dependence_type_mutexinoutset;
		if (index >= outs + others + ins) {
			uintptr_t kind = (uintptr_t)((void **)depend[5 + index])[1];
			shown.dependence_type = kinds[kind < 6 ? kind : 0];
		}
	}
	if (item.address == NULL)
		shown.dependence_type = shown.dependence_type == ompt_dependence_type_out
					    ? ompt_dependence_type_out_all_memory
					    : ompt_dependence_type_inout_all_memory;
	return shown;
}

static _Noreturn void out_of_memory(void)
{
	rt_fatal("no memory for task dependences; the program ends here");
}

static void *checked(void *memory)
{
	if (memory == NULL)
		out_of_memory();
	return memory;
}

void rt_depend_show(ompt_data_t *word, void **depend)
{
	enum { FEW = 16 };
	ompt_dependence_t few[FEW], *all = few;
	size_t count = item_count(depend);

	if (!rt_event_is_set(ompt_callback_dependences))
		return;
	if (count > FEW)
		all = checked(malloc(count * sizeof(*all)));
	for (size_t i = 0; i < count; i++)
		all[i] = shown_at(depend, i);
	rt_emit_dependences(word, all, (int)count);
	if (all != few)
		free(all);
}

/*
 * Race detection: the task that waited informs ThreadSanitizer of the edges. When it begins, it
 * acquires what each of these nodes released at its end, whether that came before or after the edge
 * was made. (Without race detection the thread that makes or resolves an edge passes on what it
 * knows, and thereby also what this thread did before.)
 */
struct rt_depend_sources {
	size_t count, capacity;
	struct rt_depend_node **nodes;
};

static void unref(struct rt_thread *self, struct rt_depend_node *node)
{
	if (sub_acq_rel(&node->refs, 1) != 1)
		return;
	while (node->chunks != NULL) {
		struct rt_depend_chunk *next = node->chunks->next;
		free(node->chunks);
		node->chunks = next;
	}
	if (unlikely(node->word != NULL))
		rt_slab_give(self->slab, node->task);
	rt_slab_give_bytes(self->slab, node);
}

static RT_COLD void add_source(struct rt_depend_node *predecessor, struct rt_depend_node *successor)
{
	struct rt_depend_sources *sources = successor->sources;

	if (sources == NULL)
		sources = successor->sources = checked(calloc(1, sizeof(*sources)));
	if (!ARRAY_PUSH(sources->nodes, sources->count, sources->capacity, predecessor))
		out_of_memory();
	add_relaxed(&predecessor->refs, 1);
}

void rt_depend_acquire_sources(struct rt_thread *self, struct rt_depend_node *node)
{
	struct rt_depend_sources *sources = node->sources;

	if (sources == NULL)
		return;
	node->sources = NULL;
	for (size_t i = 0; i < sources->count; i++)
		rt_tsan_acquire(sources->nodes[i]);
	void *hidden = rt_race_hide(self);
	for (size_t i = 0; i < sources->count; i++)
		unref(self, sources->nodes[i]);
	free(sources->nodes);
	free(sources);
	rt_race_show(hidden);
}

void rt_depend_drop(struct rt_thread *self, struct rt_depend_node *node)
{
	unref(self, node);
}

static struct rt_depend_edge *new_edge(struct rt_depend_node *successor)
{
	uint32_t number = successor->edge_count++, place;

	if (number < RT_DEPEND_INLINE_EDGES)
		return &successor->edges[number];
	place = (number - RT_DEPEND_INLINE_EDGES) % 16;
	if (place == 0) {
		struct rt_depend_chunk *chunk = checked(malloc(sizeof(*chunk)));
		chunk->next = successor->chunks;
		successor->chunks = chunk;
	}
	return &successor->chunks->edges[place];
}

/*
 * The state of a node whose task a tool knows. The thread that completes the task waits while
 * another thread names it to the tool; afterwards no thread names it. Acquire, pairs with the
 * release by a thread that has named it: what the tool did then comes before the task's last event.
 * Neither state publishes anything.
 */
enum naming { FREE, NAMED_NOW, OVER };

static bool begin_naming(struct rt_depend_node *node, enum naming next)
{
	uint32_t state = load_relaxed(&node->naming);

	while (state != OVER) {
		if (state == FREE && cas_acquire(&node->naming, &state, next))
			return true;
		if (state == NAMED_NOW) {
			sched_yield();
			state = load_relaxed(&node->naming);
		}
	}
	return false;
}

void rt_depend_end_naming(struct rt_depend_node *node)
{
	begin_naming(node, OVER);
}

static RT_COLD void show_edge(struct rt_depend_node *predecessor, struct rt_depend_node *successor)
{
	if (predecessor->word == NULL || !begin_naming(predecessor, NAMED_NOW))
		return;
	rt_emit_task_dependence(predecessor->word, successor->word);
	store_release(&predecessor->naming, FREE);
}

static void add_edge(struct rt_depend_node *predecessor, struct rt_depend_node *successor)
{
	struct rt_depend_edge *head = load_acquire(&predecessor->successors), *edge;

	if (predecessor == successor)
		return;
	if (rt_watched(RT_BY_RACE))
		add_source(predecessor, successor);
	if (head != CLOSED) {
		if (unlikely(successor->word != NULL))
			show_edge(predecessor, successor);
		edge = new_edge(successor);
		edge->successor = successor;
		add_relaxed(&successor->blockers, 1);
		/*
		 * Release publishes the edge. Acquire if it fails, since the list may be closed:
		 * then this thread sees all that the predecessor did. C11 has no weaker order for
		 * both.
		 */
		do
			edge->next = head;
		while (!cas_acq_rel(&predecessor->successors, &head, edge) && head != CLOSED);
		if (head != CLOSED)
			return;
		sub_relaxed(&successor->blockers, 1);
	}
	if (!rt_watched(RT_BY_RACE))
		rt_tsan_acquire(predecessor);
}

static void clear_cohort(struct rt_thread *self, struct cohort *cohort)
{
	for (uint32_t i = 0; i < cohort->count; i++)
		unref(self, cohort->nodes[i]);
	if (cohort->nodes != NULL && cohort->nodes != &cohort->only)
		free(cohort->nodes);
	*cohort = (struct cohort){0};
}

/*
 * Drops completed members, so that a long row of readers does not grow without bound. With race
 * detection all stay: later tasks have to acquire what they released.
 */
static void prune(struct rt_thread *self, struct cohort *cohort)
{
	uint32_t kept = 0;

	if (rt_watched(RT_BY_RACE))
		return;

	for (uint32_t i = 0; i < cohort->count; i++) {
		if (load_acquire(&cohort->nodes[i]->successors) == CLOSED) {
			rt_tsan_acquire(cohort->nodes[i]);
			unref(self, cohort->nodes[i]);
		} else {
			cohort->nodes[kept++] = cohort->nodes[i];
		}
	}
	cohort->count = kept;
}

/*
 * Does not use shared/array.h: the first member is in the cohort itself, and most cohorts have no
 * other.
 */
static void join_cohort(struct rt_thread *self, struct cohort *cohort, struct rt_depend_node *node)
{
	if (cohort->nodes == &cohort->only || cohort->nodes == NULL) {
		if (cohort->count == 0) {
			cohort->nodes = &cohort->only;
			cohort->capacity = 1;
		} else {
			cohort->nodes = checked(malloc(8 * sizeof(struct rt_depend_node *)));
			cohort->nodes[0] = cohort->only;
			cohort->capacity = 8;
		}
	} else if (cohort->count == cohort->capacity) {
		prune(self, cohort);
		if (cohort->count > cohort->capacity / 2) {
			cohort->capacity *= 2;
			cohort->nodes = checked(realloc(
			    cohort->nodes, cohort->capacity * sizeof(struct rt_depend_node *)));
		}
	}
	cohort->nodes[cohort->count++] = node;
	add_relaxed(&node->refs, 1);
}

static void depend_on(struct rt_depend_node *node, const struct cohort *cohort)
{
	for (uint32_t i = 0; i < cohort->count; i++)
		add_edge(cohort->nodes[i], node);
}

static struct entry *slot_of(struct entry *entries, uint32_t capacity, const void *address)
{
	uint64_t hash = (uintptr_t)address * UINT64_C(0x9E3779B97F4A7C15);
	uint32_t index = (uint32_t)(hash >> 32) & (capacity - 1);

	while (entries[index].address != NULL && entries[index].address != address)
		index = (index + 1) & (capacity - 1);
	return &entries[index];
}

static void fix_only(struct cohort *cohort)
{
	if (cohort->count > 0 && cohort->capacity == 1)
		cohort->nodes = &cohort->only;
}

static void grow(struct rt_depend_table *table)
{
	uint32_t capacity = table->capacity != 0 ? 2 * table->capacity : 16;
	struct entry *entries = checked(calloc(capacity, sizeof(*entries)));

	for (uint32_t i = 0; i < table->capacity; i++) {
		struct entry *old = &table->entries[i], *new;
		if (old->address == NULL)
			continue;
		new = slot_of(entries, capacity, old->address);
		*new = *old;
		fix_only(&new->current);
		fix_only(&new->previous);
	}
	free(table->entries);
	table->entries = entries;
	table->capacity = capacity;
}

static struct entry *find_entry(struct rt_depend_table *table, const void *address)
{
	return table->capacity != 0 ? slot_of(table->entries, table->capacity, address) : NULL;
}

static struct entry *enter(
    struct rt_thread *self, struct rt_depend_table *table, const void *address)
{
	struct entry *entry = find_entry(table, address);

	if (entry != NULL && entry->address != NULL)
		return entry;
	if (2 * table->used >= table->capacity)
		grow(table);
	entry = find_entry(table, address);
	entry->address = address;
	table->used++;
	if (table->everything != NULL) {
		entry->current.kind = KIND_OUT;
		join_cohort(self, &entry->current, table->everything);
	}
	return entry;
}

/* All earlier tasks precede the node, and it precedes all later ones. */
static void register_everything(
    struct rt_thread *self, struct rt_depend_table *table, struct rt_depend_node *node)
{
	for (uint32_t i = 0; i < table->capacity; i++) {
		struct entry *entry = &table->entries[i];
		if (entry->address == NULL)
			continue;
		depend_on(node, &entry->current);
		clear_cohort(self, &entry->previous);
		clear_cohort(self, &entry->current);
		entry->current.kind = KIND_OUT;
		join_cohort(self, &entry->current, node);
	}
	if (table->everything != NULL) {
		add_edge(table->everything, node);
		unref(self, table->everything);
	}
	table->everything = node;
	add_relaxed(&node->refs, 1);
}

static void register_item(struct rt_thread *self, struct rt_depend_table *table,
    struct rt_depend_node *node, struct item item)
{
	struct entry *entry;

	if (item.address == NULL) {
		register_everything(self, table, node);
		return;
	}
	entry = enter(self, table, item.address);
	if (item.kind != entry->current.kind || item.kind == KIND_OUT) {
		clear_cohort(self, &entry->previous);
		entry->previous = entry->current;
		fix_only(&entry->previous);
		entry->current = (struct cohort){.kind = item.kind};
	}
	depend_on(node, &entry->previous);
	join_cohort(self, &entry->current, node);
}

/* Sets all but the edges; edge_count is 0. */
static void init_node(struct rt_depend_node *node, struct rt_task *task, struct rt_team *team)
{
	store_relaxed(&node->successors, NULL);
	store_relaxed(&node->blockers, 0);
	store_relaxed(&node->refs, 0);
	node->task = task;
	node->team = team;
	node->word = NULL;
	store_relaxed(&node->naming, FREE);
	node->edge_count = 0;
	node->chunks = NULL;
	node->sources = NULL;
	if (rt_watched(RT_BY_RACE))
		rt_tsan_forget(node);
}

bool rt_depend_register(struct rt_thread *self, struct rt_task *task, void **depend)
{
	CHECK(task->node == NULL, "the task has no node yet");

	struct rt_task *parent = load_relaxed(&task->parent);
	struct rt_depend_node *node = checked(rt_slab_take_bytes(self->slab));

	_Static_assert(sizeof(*node) <= RT_SLAB_ARGUMENT_BYTES, "a node fits a block");
	void *hidden = rt_race_hide(self);
	init_node(node, task, task->team);
	store_relaxed(&node->blockers, 1);
	store_relaxed(&node->refs, 1);
	task->node = node;
	if (rt_watched(RT_BY_TOOL)) {
		task->flags |= RT_TASK_NAMED;
		node->word = &task->tool.data;
		store_relaxed(&node->refs, 2);
	}
	if (parent->table == NULL)
		parent->table = checked(calloc(1, sizeof(*parent->table)));
	for (size_t i = 0; i < item_count(depend); i++)
		register_item(self, parent->table, node, item_at(depend, i));
	if (!rt_watched(RT_BY_RACE))
		rt_tsan_release(task);
	rt_race_show(hidden);
	/*
	 * Acquire: if the task is ready now, this thread sees all that its predecessors did;
	 * release: what was written here.
	 */
	return sub_acq_rel(&node->blockers, 1) == 1;
}

static bool is_unblocked(const void *subject)
{
	const struct rt_depend_node *node = subject;
	return load_sequential(&node->blockers) == 0;
}

void rt_depend_wait_for_children(struct rt_thread *self, void **depend, ompt_data_t *word)
{
	CHECK(self->task->table != NULL, "the task has children with dependences");

	struct rt_depend_table *table = self->task->table;
	struct rt_depend_node node;

	init_node(&node, NULL, self->team);
	node.word = word;
	for (size_t i = 0; i < item_count(depend); i++) {
		struct item item = item_at(depend, i);
		struct entry *entry;
		for (uint32_t j = 0; item.address == NULL && j < table->capacity; j++)
			if (table->entries[j].address != NULL)
				depend_on(&node, &table->entries[j].current);
		if (table->everything != NULL)
			add_edge(table->everything, &node);
		entry = item.address != NULL ? find_entry(table, item.address) : NULL;
		if (entry == NULL || entry->address == NULL)
			continue;
		/* Members of its own kind do not block it, but what they wait for does. */
		depend_on(&node, item.kind == entry->current.kind && item.kind != KIND_OUT
				     ? &entry->previous
				     : &entry->current);
	}
	if (!is_unblocked(&node)) {
		struct rt_waiting outer;
		rt_waiting_begin(
		    self, &outer, RT_WAITING_TASKWAIT, self->task, (uintptr_t)&node, 0);
		rt_task_help_until(self, is_unblocked, &node, self->task);
		rt_waiting_end(self, &outer);
	}
	if (rt_watched(RT_BY_RACE)) {
		rt_depend_acquire_sources(self, &node);
	} else {
		rt_tsan_acquire(&node);
	}
	while (node.chunks != NULL) {
		struct rt_depend_chunk *next = node.chunks->next;
		free(node.chunks);
		node.chunks = next;
	}
}

/* Acquire, pairs with the release of a push: the reader sees the edges in the list. */
const struct rt_depend_edge *rt_depend_successors(const struct rt_depend_node *node)
{
	const struct rt_depend_edge *first = node != NULL ? load_acquire(&node->successors) : NULL;

	return first != CLOSED ? first : NULL;
}

void rt_depend_complete(struct rt_thread *self, struct rt_task *task)
{
	CHECK(task->node != NULL, "the task has a node");

	struct rt_depend_node *node = task->node;
	struct rt_depend_edge *edge, *next;

	rt_tsan_release(node);
	void *hidden = rt_race_hide(self);
	edge = exchange_acq_rel(&node->successors, CLOSED);
	for (; edge != NULL; edge = next) {
		struct rt_depend_node *successor = edge->successor;
		struct rt_task *ready = successor->task;
		struct rt_team *team = successor->team;

		next = edge->next; /* the edge belongs to the successor and may soon be gone */
		if (!rt_watched(RT_BY_RACE))
			rt_tsan_release(ready != NULL ? (void *)ready : (void *)successor);
		if (sub_sequential(&successor->blockers, 1) != 1)
			continue;
		if (ready != NULL)
			rt_task_make_ready(self, ready);
		else
			rt_team_notify(team);
	}
	unref(self, node);
	rt_race_show(hidden);
}

void rt_depend_table_free(struct rt_depend_table *table)
{
	struct rt_thread *self = rt_current; /* it frees a task, so it has a record */

	void *hidden = rt_race_hide(self);
	for (uint32_t i = 0; i < table->capacity; i++) {
		clear_cohort(self, &table->entries[i].current);
		clear_cohort(self, &table->entries[i].previous);
	}
	if (table->everything != NULL)
		unref(self, table->everything);
	free(table->entries);
	free(table);
	rt_race_show(hidden);
}
