/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines of OpenMP 5.2, chapter 18, and of OpenMP 6.0 and 6.1 that this library exports, with
 * the types and constants of GCC's omp.h, which belong to its binary interface. The library does
 * not include the compiler's own omp.h: that of another compiler differs in lock sizes and lacks
 * some of these.
 */
#ifndef RT_OMP_API_H
#define RT_OMP_API_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
	_Alignas(4) unsigned char bytes[4];
} omp_lock_t;

typedef struct {
	_Alignas(8) unsigned char bytes[16];
} omp_nest_lock_t;

typedef unsigned omp_sched_t;     /* enum rt_schedule, RT_SCHEDULE_MONOTONIC */
typedef unsigned omp_proc_bind_t; /* enum rt_bind */
typedef unsigned omp_sync_hint_t;
typedef uintptr_t omp_event_handle_t;
typedef uintptr_t omp_memspace_handle_t;
typedef uintptr_t omp_allocator_handle_t;

typedef enum {
	omp_pause_soft = 1,
	omp_pause_hard = 2,
	omp_pause_stop_tool = 3 /* OpenMP 6.0 */
} omp_pause_resource_t;

enum {
	omp_default_mem_space = 0,
	omp_large_cap_mem_space = 1,
	omp_const_mem_space = 2,
	omp_high_bw_mem_space = 3,
	omp_low_lat_mem_space = 4,
	ompx_gnu_managed_mem_space = 200
};

enum {
	omp_null_allocator = 0,
	omp_default_mem_alloc = 1,
	omp_large_cap_mem_alloc = 2,
	omp_const_mem_alloc = 3,
	omp_high_bw_mem_alloc = 4,
	omp_low_lat_mem_alloc = 5,
	omp_cgroup_mem_alloc = 6,
	omp_pteam_mem_alloc = 7,
	omp_thread_mem_alloc = 8,
	ompx_gnu_pinned_mem_alloc = 200,
	ompx_gnu_managed_mem_alloc = 201
};

typedef enum {
	omp_atk_sync_hint = 1,
	omp_atk_alignment = 2,
	omp_atk_access = 3,
	omp_atk_pool_size = 4,
	omp_atk_fallback = 5,
	omp_atk_fb_data = 6,
	omp_atk_pinned = 7,
	omp_atk_partition = 8
} omp_alloctrait_key_t;

#define omp_atv_default UINTPTR_MAX

enum {
	omp_atv_false = 0,
	omp_atv_true = 1,
	omp_atv_contended = 3,
	omp_atv_uncontended = 4,
	omp_atv_serialized = 5,
	omp_atv_private = 6,
	omp_atv_all = 7,
	omp_atv_thread = 8,
	omp_atv_pteam = 9,
	omp_atv_cgroup = 10,
	omp_atv_default_mem_fb = 11,
	omp_atv_null_fb = 12,
	omp_atv_abort_fb = 13,
	omp_atv_allocator_fb = 14,
	omp_atv_environment = 15,
	omp_atv_nearest = 16,
	omp_atv_blocked = 17,
	omp_atv_interleaved = 18
};

typedef struct {
	omp_alloctrait_key_t key;
	uintptr_t value;
} omp_alloctrait_t;

/* For omp_target_memcpy_async(): the layout of gcc's depend objects. */
typedef struct {
	_Alignas(sizeof(void *)) char bytes[2 * sizeof(void *)];
} omp_depend_t;

/* Device numbers that mean a particular device or none. */
enum { omp_initial_device = -1, omp_invalid_device = -4, omp_default_device = -5 };

/* Objects that represent those of another runtime; see the interop construct's entry point. */
typedef intptr_t omp_intptr_t;
typedef uintptr_t omp_interop_t;

enum { omp_interop_none = 0 };

typedef enum {
	omp_ipr_fr_id = -1,
	omp_ipr_fr_name = -2,
	omp_ipr_vendor = -3,
	omp_ipr_vendor_name = -4,
	omp_ipr_device_num = -5,
	omp_ipr_platform = -6,
	omp_ipr_device = -7,
	omp_ipr_device_context = -8,
	omp_ipr_targetsync = -9,
	omp_ipr_first = -9
} omp_interop_property_t;

typedef enum {
	omp_irc_no_value = 1,
	omp_irc_success = 0,
	omp_irc_empty = -1,
	omp_irc_out_of_range = -2,
	omp_irc_type_int = -3,
	omp_irc_type_ptr = -4,
	omp_irc_type_str = -5,
	omp_irc_other = -6
} omp_interop_rc_t;

/* All that follows is exported, under the versions of libgomp.map. */
#pragma GCC visibility push(default)

/* Threads and teams */
void omp_set_num_threads(int threads);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
int omp_in_final(void);
int omp_in_explicit_task(void);
int omp_get_thread_limit(void);
int omp_get_level(void);
int omp_get_active_level(void);
int omp_get_ancestor_thread_num(int level);
int omp_get_team_size(int level);
int omp_get_num_teams(void);
int omp_get_team_num(void);
void omp_set_num_teams(int teams);
int omp_get_max_teams(void);
void omp_set_teams_thread_limit(int limit);
int omp_get_teams_thread_limit(void);
int omp_get_num_threads_dim(int dimension);
int omp_get_thread_num_dim(int dimension);
int omp_get_thread_limit_dim(int dimension);
int omp_get_num_teams_dim(int dimension);
int omp_get_team_num_dim(int dimension);
int omp_get_supported_threads_dim(int device, int dimension);
int omp_get_supported_teams_dim(int device, int dimension);
int omp_get_supported_active_team_dims(int device, int native);
int omp_get_supported_active_league_dims(int device, int native);

/* Settings and time */
void omp_set_dynamic(int dynamic);
int omp_get_dynamic(void);
void omp_set_nested(int nested);
int omp_get_nested(void);
void omp_set_max_active_levels(int levels);
int omp_get_max_active_levels(void);
int omp_get_supported_active_levels(void);
void omp_set_schedule(omp_sched_t kind, int chunk);
void omp_get_schedule(omp_sched_t *kind, int *chunk);
int omp_get_cancellation(void);
int omp_get_max_task_priority(void);
void omp_display_env(int verbose);
int omp_control_tool(int command, int modifier, void *argument);
int32_t omp_control_tool_(const int32_t *command, const int32_t *modifier);
int32_t omp_control_tool_8_(const int32_t *command, const int64_t *modifier);
double omp_get_wtime(void);
double omp_get_wtick(void);

/* Locks; those of the versions OMP_1.0 have no declaration. */
void omp_init_lock(omp_lock_t *lock);
void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint);
void omp_destroy_lock(omp_lock_t *lock);
void omp_set_lock(omp_lock_t *lock);
void omp_unset_lock(omp_lock_t *lock);
int omp_test_lock(omp_lock_t *lock);
void omp_init_nest_lock(omp_nest_lock_t *lock);
void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint);
void omp_destroy_nest_lock(omp_nest_lock_t *lock);
void omp_set_nest_lock(omp_nest_lock_t *lock);
void omp_unset_nest_lock(omp_nest_lock_t *lock);
int omp_test_nest_lock(omp_nest_lock_t *lock);

/* Places and affinity */
omp_proc_bind_t omp_get_proc_bind(void);
int omp_get_num_places(void);
int omp_get_place_num_procs(int place);
void omp_get_place_proc_ids(int place, int *ids);
int omp_get_place_num(void);
int omp_get_partition_num_places(void);
void omp_get_partition_place_nums(int *places);
void omp_set_affinity_format(const char *format);
size_t omp_get_affinity_format(char *buffer, size_t size);
void omp_display_affinity(const char *format);
size_t omp_capture_affinity(char *buffer, size_t size, const char *format);

/* Devices, of which there is only the host */
void omp_set_default_device(int device);
int omp_get_default_device(void);
int omp_get_num_devices(void);
int omp_get_device_num(void);
int omp_is_initial_device(void);
int omp_get_initial_device(void);
const char *omp_get_uid_from_device(int device);
int omp_get_device_from_uid(const char *uid);
void omp_get_device_distances(int count, const int *devices, int *distances);
void omp_set_device_num_teams(int teams, int device);
int omp_get_device_num_teams(int device);
void omp_set_device_teams_thread_limit(int limit, int device);
int omp_get_device_teams_thread_limit(int device);
int omp_pause_resource(omp_pause_resource_t kind, int device);
int omp_pause_resource_all(omp_pause_resource_t kind);
void *omp_target_alloc(size_t size, int device);
void omp_target_free(void *memory, int device);
int omp_target_is_present(const void *memory, int device);
int omp_target_is_accessible(const void *memory, size_t size, int device);
void *omp_get_mapped_ptr(const void *memory, int device);
int omp_target_memcpy(void *to, const void *from, size_t length, size_t to_offset,
    size_t from_offset, int to_device, int from_device);
int omp_target_memcpy_async(void *to, const void *from, size_t length, size_t to_offset,
    size_t from_offset, int to_device, int from_device, int dependences, omp_depend_t *depend);
int omp_target_memcpy_rect(void *to, const void *from, size_t element_size, int dimensions,
    const size_t *volume, const size_t *to_offsets, const size_t *from_offsets,
    const size_t *to_dimensions, const size_t *from_dimensions, int to_device, int from_device);
int omp_target_memcpy_rect_async(void *to, const void *from, size_t element_size, int dimensions,
    const size_t *volume, const size_t *to_offsets, const size_t *from_offsets,
    const size_t *to_dimensions, const size_t *from_dimensions, int to_device, int from_device,
    int dependences, omp_depend_t *depend);
void *omp_target_memset(void *memory, int value, size_t count, int device);
void *omp_target_memset_async(
    void *memory, int value, size_t count, int device, int dependences, omp_depend_t *depend);
int omp_target_associate_ptr(
    const void *host, const void *target, size_t size, size_t offset, int device);
int omp_target_disassociate_ptr(const void *memory, int device);

/* Interoperability */
int omp_get_num_interop_properties(omp_interop_t interop);
omp_intptr_t omp_get_interop_int(
    omp_interop_t interop, omp_interop_property_t property, omp_interop_rc_t *result);
void *omp_get_interop_ptr(
    omp_interop_t interop, omp_interop_property_t property, omp_interop_rc_t *result);
const char *omp_get_interop_str(
    omp_interop_t interop, omp_interop_property_t property, omp_interop_rc_t *result);
const char *omp_get_interop_name(omp_interop_t interop, omp_interop_property_t property);
const char *omp_get_interop_type_desc(omp_interop_t interop, omp_interop_property_t property);
const char *omp_get_interop_rc_desc(omp_interop_t interop, omp_interop_rc_t result);

/* Memory */
omp_allocator_handle_t omp_init_allocator(
    omp_memspace_handle_t space, int count, const omp_alloctrait_t traits[]);
void omp_destroy_allocator(omp_allocator_handle_t allocator);
void omp_set_default_allocator(omp_allocator_handle_t allocator);
omp_allocator_handle_t omp_get_default_allocator(void);
void *omp_alloc(size_t size, omp_allocator_handle_t allocator);
void *omp_aligned_alloc(size_t alignment, size_t size, omp_allocator_handle_t allocator);
void *omp_calloc(size_t count, size_t size, omp_allocator_handle_t allocator);
void *omp_aligned_calloc(
    size_t alignment, size_t count, size_t size, omp_allocator_handle_t allocator);
void *omp_realloc(void *memory, size_t size, omp_allocator_handle_t allocator,
    omp_allocator_handle_t free_allocator);
void omp_free(void *memory, omp_allocator_handle_t allocator);

/* Tasks: with the tasks */
void omp_fulfill_event(omp_event_handle_t event);

#pragma GCC visibility pop

#endif
