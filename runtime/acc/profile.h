/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenACC 2.6's profiling interface, chapter 5: the structures that callbacks get, as GCC's
 * acc_prof.h lays them out, and how the constructs report what happens. The events that occur on
 * the host are delivered: the initialisation of the device, compute constructs, data regions and
 * enter and exit data directives, and updates. Nothing is allocated, transferred, enqueued or
 * waited for, so the other events do not occur.
 */
#ifndef RT_PROFILE_H
#define RT_PROFILE_H
#include "acc-api.h"

/* In each pair the end event follows its start event. */
enum rt_acc_event {
	RT_ACC_NONE,
	RT_ACC_DEVICE_INIT_START = 1,
	RT_ACC_ENTER_DATA_START = 10,
	RT_ACC_EXIT_DATA_START = 12,
	RT_ACC_UPDATE_START = 14,
	RT_ACC_COMPUTE_START = 16,
	RT_ACC_EVENTS = 26
};

enum rt_acc_construct {
	RT_ACC_PARALLEL = 0,
	RT_ACC_DATA = 3,
	RT_ACC_ENTER_DATA = 4,
	RT_ACC_EXIT_DATA = 5,
	RT_ACC_HOST_DATA = 6,
	RT_ACC_INIT = 9,
	RT_ACC_SET = 11,
	RT_ACC_UPDATE = 12,
	RT_ACC_RUNTIME_API = 15
};

struct acc_prof_info {
	acc_event_t event_type;
	int valid_bytes, version;
	acc_device_t device_type;
	int device_number, thread_id;
	ptrdiff_t async, async_queue;
	const char *src_file, *func_name;
	int line_no, end_line_no, func_line_no, func_end_line_no;
};

/* The initial part that all kinds of event share, and all of the kinds that are delivered. */
struct acc_event_info {
	acc_event_t event_type;
	int valid_bytes;
	unsigned parent_construct;
	int implicit;
	void
	    *tool_info; /* for the tool: the end event has what the start event's callback stored */
};

struct acc_api_info {
	unsigned device_api;
	int valid_bytes;
	acc_device_t device_type;
	int vendor;
	const void *device_handle, *context_handle, *async_handle;
};

/* A construct between its start and its end event. Belongs to a thread, on its stack. */
struct rt_acc_span {
	bool reported; /* there was a tool at the start, and the rest is valid */
	struct acc_prof_info prof;
	struct acc_event_info event;
	struct acc_api_info api;
};

/*
 * Delivers the start event of a construct, and later its end event. `queue` is the number that the
 * async clause gives, or acc_async_sync.
 */
void rt_acc_begin(
    struct rt_acc_span *span, enum rt_acc_event start, enum rt_acc_construct construct, int queue);
void rt_acc_end(struct rt_acc_span *span);

/*
 * Called when acc_init(type) or the directive initialises the device; false if it is initialised
 * already.
 */
bool rt_acc_device_init(acc_device_t type, enum rt_acc_construct construct);

/*
 * The same for a routine or directive that needs the device; does nothing if it is initialised
 * already.
 */
void rt_acc_device_use(enum rt_acc_construct construct);

/*
 * The directives init, shutdown and set (OpenACC 2.6, 2.14), which end the program in the same
 * cases as the routines with the same purpose. A negative number and type 0 mean absent clauses.
 */
void rt_acc_directive_init(int number, acc_device_t type);
void rt_acc_directive_shutdown(int number, acc_device_t type);
void rt_acc_directive_set(int number, acc_device_t type);

/* The device is shut down; false if it is not in use. */
bool rt_acc_device_shutdown(void);

/* Is the thread reporting the initialisation to tools? They then find no selected device. */
bool rt_acc_device_is_initialising(void);

/* Is any callback registered? */
bool rt_acc_has_tools(void);

/* Calls the callbacks for prof->event_type; no lock is held, so that they may (un)register. */
void rt_acc_call_tools(
    struct acc_prof_info *prof, struct acc_event_info *event, struct acc_api_info *api);

/*
 * Loads the libraries of a list in the form of ACC_PROFLIB, "a.so;b.so", and calls the
 * acc_register_library() of each. Reports which of them were not usable, and why.
 */
void rt_acc_load_tools(const char *libraries);

#endif
