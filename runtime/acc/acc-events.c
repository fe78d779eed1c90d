/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What OpenACC's profiling callbacks get: the values are those of GNU's runtime on the host, which
 * knows no source places and threads, and on which a compute construct uses no queue, whatever its
 * async clause requests. Without a tool a construct costs two loads.
 */
#include "atomics.h"
#include "processor-code.h"
#include "profile.h"

enum { OPENACC_VERSION = 201711, UNKNOWN = -1, QUEUE_SYNC = -2 };

/*
 * Whether the device is in use, which the events, acc_init() and acc_shutdown() concern. The thread
 * that changes it to true reports the initialisation. Relaxed: it orders nothing, and a construct
 * that misses a shutdown in another thread ran before it.
 */
static atomic_bool device_is_ready;

static _Thread_local bool reporting_device PROCESSOR_THREAD_LOCAL;

bool rt_acc_device_is_initialising(void)
{
	return reporting_device;
}

/* Makes the start event of a span and delivers it. */
static void open_span(struct rt_acc_span *span, enum rt_acc_event start,
    enum rt_acc_construct construct, int queue, acc_device_t type, bool implicit)
{
	span->prof = (struct acc_prof_info){.event_type = start,
	    .valid_bytes = sizeof(span->prof),
	    .version = OPENACC_VERSION,
	    .device_type = type,
	    .device_number = 0,
	    .thread_id = UNKNOWN,
	    .async = queue,
	    .async_queue = queue,
	    .line_no = UNKNOWN,
	    .end_line_no = UNKNOWN,
	    .func_line_no = UNKNOWN,
	    .func_end_line_no = UNKNOWN};
	span->event = (struct acc_event_info){.event_type = start,
	    .valid_bytes = sizeof(span->event),
	    .parent_construct = construct,
	    .implicit = implicit};
	span->api = (struct acc_api_info){
	    .valid_bytes = sizeof(span->api), .device_type = type, .vendor = UNKNOWN};
	rt_acc_call_tools(&span->prof, &span->event, &span->api);
}

void rt_acc_end(struct rt_acc_span *span)
{
	if (!span->reported)
		return;
	span->prof.event_type++;
	span->event.event_type++;
	rt_acc_call_tools(&span->prof, &span->event, &span->api);
}

/* False if the device was initialised already. */
static bool make_ready(enum rt_acc_construct construct, acc_device_t type, bool implicit)
{
	struct rt_acc_span span = {.reported = true};

	if (load_relaxed(&device_is_ready) || exchange_relaxed(&device_is_ready, true))
		return false;
	if (!rt_acc_has_tools())
		return true;
	reporting_device = true;
	open_span(&span, RT_ACC_DEVICE_INIT_START, construct, QUEUE_SYNC, type, implicit);
	rt_acc_end(&span);
	reporting_device = false;
	return true;
}

void rt_acc_begin(
    struct rt_acc_span *span, enum rt_acc_event start, enum rt_acc_construct construct, int queue)
{
	make_ready(construct, acc_device_default, true);
	span->reported = rt_acc_has_tools();
	if (span->reported)
		open_span(span, start, construct, queue, acc_device_host, false);
}

bool rt_acc_device_init(acc_device_t type, enum rt_acc_construct construct)
{
	return make_ready(construct, type, false);
}

void rt_acc_device_use(enum rt_acc_construct construct)
{
	make_ready(construct, acc_device_default, true);
}

bool rt_acc_device_shutdown(void)
{
	return exchange_relaxed(&device_is_ready, false);
}
