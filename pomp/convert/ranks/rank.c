/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank of many, or the only process: its events, its definitions, and how its numbers map to
 * those of the archive.
 */
#include "rank.h"

#include "location-names.h"
#include "shared/debug-log.h"
#include "shared/loop-marks.h"
#include "shared/sample-counters.h"
#include "shared/trace-usage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int convert_rank_open(struct convert_rank *rank, uint32_t number, const char *folder, char **error)
{
	struct convert_archive *archive = &rank->archive;

	*rank = (struct convert_rank){.number = number};
	*archive = (struct convert_archive){
	    .input = &rank->input, .teams = &rank->teams, .lock = PTHREAD_MUTEX_INITIALIZER};
	if (convert_input_open(&rank->input, folder, error) != 0)
		return -1;
	archive->region =
	    calloc((rank->input.region_count + 1) * PART_COUNT, sizeof(*archive->region));
	archive->event_count = calloc(rank->input.log_count, sizeof(*archive->event_count));
	if (archive->region == NULL || archive->event_count == NULL ||
	    !convert_teams_collect(&rank->teams, &rank->input) ||
	    !convert_prepare_parameters(archive))
		return convert_fail(error, folder, strerror(ENOMEM));
	DEBUG_LOG(convert, "'%s': %zu logs, %zu regions, %zu teams of %zu kinds", folder,
	    rank->input.log_count, rank->input.region_count, rank->teams.team_count,
	    rank->teams.comm_count);
	archive->end = convert_end_of(&rank->input, &rank->teams);
	archive->ticks_per_second = convert_ticks_per_second(&rank->input);
	/*
	 * Without a rank number, the ranks in its communicators cannot be identified: they are left
	 * out.
	 */
	archive->mpi_comms = number != SET_NO_RANK ? (uint32_t)rank->input.comm_count : 0;
	return 0;
}

void convert_rank_close(struct convert_rank *rank)
{
	convert_strings_free(&rank->archive.strings);
	free(rank->archive.region);
	free(rank->archive.event_count);
	free(rank->archive.value);
	convert_clock_free(&rank->clock);
	convert_teams_free(&rank->teams);
	convert_input_close(&rank->input);
}

struct convert_counts convert_rank_counts(const struct convert_rank *rank)
{
	return (struct convert_counts){
	    rank->input.log_count, rank->teams.comm_count, rank->teams.lock_count};
}

bool convert_rank_set_clock(struct convert_rank *rank, const struct convert_reference *reference)
{
	return convert_clock_init(&rank->clock, &rank->input, reference);
}

uint64_t convert_rank_stopped(const struct convert_rank *rank)
{
	uint64_t cut = rank->input.process.cut;

	return cut != 0 ? convert_clock_time(&rank->clock, cut) : 0;
}

bool convert_rank_cut(struct convert_rank *rank, uint64_t time)
{
	struct convert_input *input = &rank->input;
	uint64_t last = input->process.cut != 0 ? input->process.cut : rank->teams.last + 1;
	uint64_t cut = convert_clock_ticks(&rank->clock, time, input->process.start.ticks, last);

	if (cut == last)
		return true;
	input->process.cut = cut;
	for (size_t i = 0; i < input->log_count; i++)
		input->logs[i].cut = cut;
	convert_teams_free(&rank->teams);
	if (!convert_teams_collect(&rank->teams, input))
		return false;
	rank->archive.end = convert_end_of(input, &rank->teams);
	return true;
}

uint64_t convert_rank_bytes(const struct convert_rank *rank)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < rank->input.log_count; i++)
		bytes += rank->input.logs[i].mapping_bytes;
	return bytes;
}

void convert_rank_write(struct convert_rank *rank, OTF2_Archive *archive,
    struct convert_output *output, struct convert_counts before, const void *processors)
{
	bool own_times = rank->clock.points == NULL && rank->clock.shift == NULL;

	rank->archive.archive = archive;
	rank->archive.output = output;
	rank->archive.clock = own_times ? NULL : &rank->clock;
	rank->archive.location_base = (uint32_t)before.locations;
	rank->archive.lock_base = (uint32_t)before.locks;
	convert_write_all_locations(&rank->archive, processors);
}

/* Defines the events' strings first, so that their indices in the set are those in the events. */
static void define_strings(const struct convert_rank *rank, struct convert_set *set)
{
	for (size_t i = 0; i < rank->archive.strings.count; i++)
		convert_set_string(set, rank->archive.strings.text[i]);
}

static void note_failure(struct convert_set *set, size_t place)
{
	set->failed |= place == SIZE_MAX;
}

/* Defines regions in the order of the events' references; equal regions of ranks become one. */
static uint64_t *define_regions(struct convert_rank *rank, struct convert_set *set, size_t *count)
{
	uint32_t *regions = convert_list_regions(&rank->archive);
	uint64_t *places = calloc((size_t)rank->archive.region_count + 1, sizeof(*places));

	*count = rank->archive.region_count;
	set->failed |= regions == NULL || places == NULL;
	for (size_t ref = 0; !set->failed && ref < *count; ref++) {
		struct convert_region_text text =
		    convert_describe_region(&rank->archive, regions[ref]);
		uint64_t words[SET_REGION_WORDS] = {
		    [SET_REGION_NAME] = convert_set_string(set, text.name != NULL ? text.name : ""),
		    [SET_REGION_DESCRIPTION] = convert_set_string(set, text.description),
		    [SET_REGION_FILE] =
			text.file[0] != '\0' ? convert_set_string(set, text.file) : SET_NO_STRING,
		    [SET_REGION_KIND] = text.role | (uint64_t)text.paradigm << 32,
		    [SET_REGION_LINES] = text.begin | (uint64_t)text.end << 32,
		    [SET_REGION_OWN] =
			rank->number == SET_NO_RANK && text.code == NULL ? ref + 1 : 0,
		    [SET_REGION_CODE] =
			text.code != NULL ? convert_set_string(set, text.code) : SET_NO_STRING,
		};
		places[ref] = convert_pool_add(&set->regions, words, SET_REGION_WORDS);
		note_failure(set, places[ref]);
		set->failed |= text.name == NULL;
		free(text.name);
		free(text.code);
	}
	free(regions);
	return places;
}

/* The class of the program's metrics, if there are any, and that of the kernel's figures. */
static void define_usage(struct convert_set *set)
{
	uint64_t words[1 + 3 * TRACE_USAGE_VALUES] = {SET_METRICS_SUMS}, *next = words + 1;

#define DEFINE(id, name, unit, meaning)                                                            \
	*next++ = convert_set_string(set, name);                                                   \
	*next++ = convert_set_string(set, unit);                                                   \
	*next++ = convert_set_string(set, meaning);
	TRACE_USAGE(DEFINE)
#undef DEFINE
	note_failure(set, convert_pool_add(&set->metrics, words, sizeof(words) / sizeof(*words)));
}

/* The class of the marks of loops, which are no sums. */
static void define_marks(struct convert_set *set)
{
	uint64_t words[1 + 3 * LOOP_MARK_VALUES] = {SET_METRICS_OF_MOMENTS}, *next = words + 1;

#define DEFINE(id, name, unit, meaning)                                                            \
	*next++ = convert_set_string(set, name);                                                   \
	*next++ = convert_set_string(set, unit);                                                   \
	*next++ = convert_set_string(set, meaning);
	LOOP_MARKS(DEFINE)
#undef DEFINE
	note_failure(set, convert_pool_add(&set->metrics, words, sizeof(words) / sizeof(*words)));
}

/* The class of what counters counted at samples, behind the others. */
static void define_counters(uint64_t counters, struct convert_set *set)
{
	static const char *const names[][2] = {
#define NAME(id, name, key) {SAMPLE_COUNTER_METRIC(key), name " in user code, up to the sample"},
	    SAMPLE_COUNTERS(NAME)
#undef NAME
	};
	uint64_t words[1 + 3 * SAMPLE_COUNTERS_MOST] = {SET_METRICS_SUMS}, *next = words + 1;

	while (counters != 0) {
		enum sample_counter counter = sample_counter_take(&counters);
		*next++ = convert_set_string(set, names[counter][0]);
		*next++ = convert_set_string(set, "#");
		*next++ = convert_set_string(set, names[counter][1]);
	}
	note_failure(set, convert_pool_add(&set->metrics, words, (size_t)(next - words)));
}

static void define_metrics(const struct convert_input *input, struct convert_set *set)
{
	uint64_t words[1 + 3 * TRACE_LOG_METRICS_MAX] = {
	    input->metrics_everywhere ? SET_METRICS_EVERYWHERE : SET_METRICS_SUMS};

	for (size_t i = 0; i < input->metric_count; i++) {
		words[1 + i * 3] = convert_set_string(set, input->metrics[i].name);
		words[2 + i * 3] = convert_set_string(set, input->metrics[i].unit);
		words[3 + i * 3] = convert_set_string(set, input->metrics[i].meaning);
	}
	if (input->metric_count > 0)
		note_failure(
		    set, convert_pool_add(&set->metrics, words, 1 + input->metric_count * 3));
}

/* Contexts have the same numbers in the events, because each is different from all others. */
static void define_contexts(const struct convert_input *input, struct convert_set *set)
{
	for (size_t i = 0; i < input->paths.context_count && !set->failed; i++) {
		const struct convert_context *context = &input->paths.contexts[i];
		uint64_t words[SET_CONTEXT_WORDS] = {
		    [SET_CONTEXT_FUNCTION] = convert_set_string(set, context->function),
		    [SET_CONTEXT_FILE] = convert_set_string(set, context->file),
		    [SET_CONTEXT_LINE] = context->line,
		    [SET_CONTEXT_CONSTRUCT] = context->is_construct,
		    [SET_CONTEXT_WRAPPER] = context->is_wrapper,
		    [SET_CONTEXT_PARENT] = context->parent,
		    [SET_CONTEXT_CODE] = context->code != NULL
					     ? convert_set_string(set, context->code)
					     : SET_NO_STRING,
		};
		note_failure(set, convert_pool_add(&set->contexts, words, SET_CONTEXT_WORDS));
	}
}

/* Uses the events' numbers: parameters with the same name but another type differ. */
static void define_parameters(
    const struct convert_input *input, struct convert_set *set, struct convert_rank_local *local)
{
	local->parameter_place = calloc(input->parameter_count + 1, sizeof(uint64_t));
	local->parameter_count = input->parameter_count;
	set->failed |= local->parameter_place == NULL;
	for (size_t i = 0; i < input->parameter_count && !set->failed; i++) {
		const struct convert_parameter *parameter = &input->parameters[i];
		uint64_t words[2] = {
		    convert_set_string(set, parameter->name != NULL ? parameter->name : ""),
		    parameter->type};
		size_t place = convert_pool_add(&set->parameters, words, 2);
		note_failure(set, place);
		local->parameter_place[i] = place;
	}
}

void convert_rank_define_comms(
    const struct convert_input *input, struct convert_set *set, struct convert_rank_local *local)
{
	local->comm_place = calloc(local->comm_count + 1, sizeof(*local->comm_place));
	set->failed |= local->comm_place == NULL;
	for (size_t i = 0; i < local->comm_count && !set->failed; i++) {
		const struct convert_mpi_comm *comm = &input->comms[i];
		size_t count = SET_COMM_WORDS + comm->head.member_count;
		uint64_t *words = calloc(count, sizeof(*words));
		if (words == NULL) {
			set->failed = true;
			return;
		}
		/*
		 * A number without a definition means damage; it gets an identity that nothing else
		 * has.
		 */
		words[SET_COMM_IDENTITY] =
		    comm->head.size > 0 ? comm->head.identity : UINT64_MAX - i;
		words[SET_COMM_PARENT] = comm->head.parent;
		words[SET_COMM_NAME] =
		    comm->name != NULL ? convert_set_string(set, comm->name) : SET_NO_STRING;
		words[SET_COMM_SIZE] = comm->head.size;
		words[SET_COMM_IS_SELF] = comm->head.is_self;
		for (uint32_t member = 0; member < comm->head.member_count; member++)
			words[SET_COMM_WORDS + member] = comm->members[member];
		size_t place = convert_pool_add(&set->comms, words, count);
		note_failure(set, place);
		local->comm_place[i] = (uint32_t)place;
		free(words);
	}
}

static void define_locks(
    const struct convert_rank *rank, struct convert_counts before, struct convert_set *set)
{
	for (size_t i = 0; i < rank->input.lock_count && !set->failed; i++) {
		const struct convert_lock *lock = &rank->input.locks[i];
		if (lock->number > rank->teams.lock_count)
			continue; /* no event uses it */
		uint64_t words[SET_LOCK_WORDS] = {
		    [SET_LOCK_RANK] = rank->number,
		    [SET_LOCK_NUMBER] = before.locks + lock->number - 1,
		    [SET_LOCK_NAME] = convert_set_string(set, lock->name),
		};
		note_failure(set, convert_pool_add(&set->locks, words, SET_LOCK_WORDS));
	}
}

/* Lines that called regions, whose places in the set are known. */
static void define_callers(struct convert_rank *rank, struct convert_set *set,
    const uint64_t *region_place, size_t region_count)
{
	for (size_t i = 0; i < rank->input.caller_count && !set->failed; i++) {
		const struct convert_caller *caller = &rank->input.callers[i];
		OTF2_RegionRef region = convert_region_ref(
		    &rank->archive, (uint32_t)caller->head.region, PART_CONSTRUCT);
		if (region >= region_count)
			continue; /* no event is of the region */
		uint64_t words[SET_CALLER_WORDS] = {
		    [SET_CALLER_RANK] = rank->number,
		    [SET_CALLER_REGION] = region_place[region],
		    [SET_CALLER_CALLS] = caller->head.calls,
		    [SET_CALLER_TIME] = caller->head.time,
		    [SET_CALLER_LINE] = caller->head.line,
		    [SET_CALLER_INNER_LINE] = caller->head.inner_line,
		    [SET_CALLER_FUNCTION] = convert_set_string(set, caller->function),
		    [SET_CALLER_FILE] = convert_set_string(set, caller->file),
		    [SET_CALLER_INNER_FUNCTION] = convert_set_string(set, caller->inner_function),
		    [SET_CALLER_INNER_FILE] = convert_set_string(set, caller->inner_file),
		};
		note_failure(set, convert_pool_add(&set->callers, words, SET_CALLER_WORDS));
	}
}

static size_t rank_word_count(const struct convert_rank *rank)
{
	size_t count = SET_RANK_WORDS + rank->input.log_count * 2;

	for (size_t i = 0; i < rank->teams.comm_count; i++)
		count += 2 + rank->teams.comms[i].size;
	return count;
}

static void put_processor(uint64_t *words, const struct convert_input *input)
{
	words[SET_RANK_HAS_PROCESSOR] = input->has_processor;
	words[SET_RANK_PROCESSORS] = input->processor.processors;
	words[SET_RANK_RAN] = input->processor.ran;
	words[SET_RANK_SYSTEM] = input->processor.system;
	words[SET_RANK_FAULTS] = input->processor.faults;
	words[SET_RANK_FAULT_COST] = input->processor.fault_cost;
	words[SET_RANK_SAMPLE_PERIOD] = input->processor.sample_period;
	words[SET_RANK_QUOTA] = input->processor.quota;
	words[SET_RANK_THROTTLED] = input->processor.throttled;
	words[SET_RANK_STOLEN] = input->processor.stolen;
	words[SET_RANK_IDLE] = input->processor.idle;
	words[SET_RANK_ONLINE] = input->processor.online;
	words[SET_RANK_BOUND] = input->processor.bound;
}

static void define_rank(const struct convert_rank *rank, struct convert_set *set)
{
	const struct convert_archive *archive = &rank->archive;
	const struct convert_input *input = &rank->input;
	size_t count = rank_word_count(rank);
	uint64_t *words = calloc(count, sizeof(*words)), *next;
	char host[256] = "localhost", name[CONVERT_LOCATION_NAME];
	struct convert_strings names = {0};

	if (words == NULL) {
		set->failed = true;
		return;
	}
	next = words + SET_RANK_WORDS;
	if (input->host == NULL)
		gethostname(host, sizeof(host) - 1);
	words[SET_RANK_NUMBER] = rank->number;
	words[SET_RANK_HOST] = convert_set_string(set, input->host != NULL ? input->host : host);
	words[SET_RANK_BEGIN] = convert_time(archive, input->begin);
	words[SET_RANK_FINISH] = convert_time(archive, archive->end);
	if (input->complete_from > 0)
		words[SET_RANK_COMPLETE_FROM] = convert_time(archive, input->complete_from);
	words[SET_RANK_CLOSED] = archive->closed;
	words[SET_RANK_COMPLETE] = input->process.end.ticks != 0;
	words[SET_RANK_CUT] = input->process.cut != 0;
	put_processor(words, input);
	words[SET_RANK_HAS_COUNTS] = load_relaxed(&archive->counters) != 0;
	words[SET_RANK_LOCATIONS] = input->log_count;
	words[SET_RANK_EVENTS] = -archive->beside;
	words[SET_RANK_TEAMS] = rank->teams.comm_count;
	for (uint32_t i = 0; i < input->log_count; i++) {
		words[SET_RANK_LOST] +=
		    input->logs[i].lost_events + convert_events_behind_cut(&input->logs[i]);
		words[SET_RANK_EVENTS] += archive->event_count[i];
		convert_name_location(&rank->teams, i, &names, name, sizeof(name));
		*next++ = convert_set_string(set, name);
		*next++ = archive->event_count[i];
	}
	for (size_t i = 0; i < rank->teams.comm_count; i++) {
		const struct convert_comm *comm = &rank->teams.comms[i];
		uint64_t *size = next + 1;
		*next++ = comm->parent;
		*next++ = 0;
		for (uint32_t member = 0; member < comm->size; member++)
			if (comm->member[member] != CONVERT_NONE) {
				*next++ = comm->member[member];
				++*size;
			}
	}
	note_failure(set, convert_pool_add(&set->ranks, words, (size_t)(next - words)));
	convert_strings_free(&names);
	free(words);
}

void convert_rank_define(struct convert_rank *rank, struct convert_counts before,
    struct convert_set *set, struct convert_rank_local *local)
{
	*local = (struct convert_rank_local){
	    .location_base = (uint32_t)before.locations,
	    .location_count = (uint32_t)rank->input.log_count,
	    .team_base = (uint32_t)before.teams,
	    .team_count = (uint32_t)rank->teams.comm_count,
	    .comm_count = rank->archive.mpi_comms,
	};
	convert_set_init(set);
	define_strings(rank, set);
	local->region_place = define_regions(rank, set, &local->region_count);
	define_metrics(&rank->input, set);
	uint64_t counters = load_relaxed(&rank->archive.counters);
	bool has_marks = load_relaxed(&rank->archive.has_marks) || counters != 0;
	if (load_relaxed(&rank->archive.has_usage) || has_marks)
		define_usage(set);
	if (has_marks)
		define_marks(set);
	if (counters != 0)
		define_counters(counters, set);
	define_contexts(&rank->input, set);
	define_parameters(&rank->input, set, local);
	convert_rank_define_comms(&rank->input, set, local);
	define_callers(rank, set, local->region_place, local->region_count);
	define_locks(rank, before, set);
	define_rank(rank, set);
}

static OTF2_ErrorCode write_map(
    OTF2_DefWriter *writer, OTF2_MappingType type, size_t count, const uint64_t *map)
{
	size_t same = 0;

	while (map != NULL && same < count && map[same] == same)
		same++;
	if (map == NULL || same == count)
		return OTF2_SUCCESS; /* unchanged numbers need no table */
	OTF2_IdMap *table = OTF2_IdMap_CreateFromUint64Array(count, map, true);
	if (table == NULL)
		return OTF2_ERROR_ENOMEM;
	OTF2_ErrorCode code = OTF2_DefWriter_WriteMappingTable(writer, type, table);
	OTF2_IdMap_Free(table);
	return code;
}

/* Composes a map: through the indices in the rank's set; heap. */
static uint64_t *by_way_of(const uint64_t *places, size_t count, const uint64_t *map)
{
	uint64_t *through = calloc(count + 1, sizeof(*through));

	for (size_t i = 0; through != NULL && i < count; i++)
		through[i] = map != NULL ? map[places[i]] : places[i];
	return through;
}

/* In the rank, the teams' communicators come first, then MPI's. */
static uint64_t *map_comms(const struct convert_rank_local *local, size_t mpi_comms)
{
	uint64_t *map = calloc(local->team_count + local->comm_count + 1, sizeof(*map));
	const uint64_t *mpi = local->maps.comms;

	for (size_t i = 0; map != NULL && i < local->team_count; i++)
		map[i] = mpi_comms + local->team_base + i;
	for (size_t i = 0; map != NULL && i < local->comm_count; i++)
		map[local->team_count + i] =
		    mpi != NULL ? mpi[local->comm_place[i]] : local->comm_place[i];
	return map;
}

OTF2_ErrorCode convert_rank_write_local(
    OTF2_Archive *archive, const struct convert_rank_local *local, size_t mpi_comms)
{
	const struct convert_maps *maps = &local->maps;
	uint64_t *regions = by_way_of(local->region_place, local->region_count, maps->regions);
	uint64_t *parameters =
	    by_way_of(local->parameter_place, local->parameter_count, maps->parameters);
	uint64_t *comms = map_comms(local, mpi_comms);
	const struct {
		OTF2_MappingType type;
		size_t count;
		const uint64_t *map;
	} tables[] = {
	    {OTF2_MAPPING_STRING, maps->string_count, maps->strings},
	    {OTF2_MAPPING_REGION, local->region_count, regions},
	    {OTF2_MAPPING_METRIC, maps->metric_count, maps->metrics},
	    {OTF2_MAPPING_CALLING_CONTEXT, maps->context_count, maps->contexts},
	    {OTF2_MAPPING_PARAMETER, local->parameter_count, parameters},
	    {OTF2_MAPPING_COMM, local->team_count + local->comm_count, comms},
	};
	OTF2_ErrorCode code = regions != NULL && parameters != NULL && comms != NULL
				  ? OTF2_SUCCESS
				  : OTF2_ERROR_ENOMEM;

	for (uint32_t i = 0; i < local->location_count && code == OTF2_SUCCESS; i++) {
		OTF2_DefWriter *writer =
		    OTF2_Archive_GetDefWriter(archive, local->location_base + i);
		if (writer == NULL) {
			code = OTF2_ERROR_INVALID_CALL;
			break;
		}
		for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++)
			if (code == OTF2_SUCCESS)
				code = write_map(
				    writer, tables[t].type, tables[t].count, tables[t].map);
		OTF2_ErrorCode closed = OTF2_Archive_CloseDefWriter(archive, writer);
		code = code == OTF2_SUCCESS ? closed : code;
	}
	free(regions);
	free(parameters);
	free(comms);
	return code;
}

void convert_rank_local_free(struct convert_rank_local *local)
{
	convert_maps_free(&local->maps);
	free(local->comm_place);
	free(local->region_place);
	free(local->parameter_place);
	*local = (struct convert_rank_local){0};
}
