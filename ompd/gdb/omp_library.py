# SPDX-License-Identifier: BSD-3-Clause
"""libompd.so for gdb: the library's functions through ctypes, and the callbacks that it needs.

A Session is one target with its library, and does not know the commands. The session's close() frees all
handles at once: a command opens a session, asks, prints and closes it.
"""
import ctypes
import os

import gdb
from omp_missing import why_no_plugin, why_no_runtime

OK, UNAVAILABLE, STALE, BAD_INPUT, ERROR, UNSUPPORTED = range(6)
INCOMPATIBLE, READ_ERROR, NOMEM, INCOMPLETE, CALLBACK_ERROR = 7, 8, 10, 11, 12
RC_NAMES = ("ok", "unavailable", "stale handle", "bad input", "error", "unsupported",
            "needs state tracking", "incompatible", "read error", "write error", "no memory",
            "incomplete", "callback error")
API_VERSION = 202011
REASONS = {INCOMPATIBLE: "the process's runtime is older than these commands",
           NOMEM: "gdb has no memory for it",
           READ_ERROR: "the process's memory cannot be read; a core file may be truncated"}
LWP = 1
SCOPE_SPACE, SCOPE_THREAD, SCOPE_PARALLEL, SCOPE_TASK = 2, 3, 4, 6
SCOPE_NAMES = {2: "process", 3: "thread", 4: "region", 5: "implicit task", 6: "task"}
FIRST_STATE = 0x102
LEVEL, TEAM_SIZE, THREAD_NUM = 14, 21, 22  # numbers of internal control variables

HANDLE = ctypes.c_void_p
WORD = ctypes.c_int64
U64 = ctypes.c_uint64
POINTER = ctypes.POINTER


class Address(ctypes.Structure):
    _fields_ = [("segment", U64), ("address", U64)]


class Frame(ctypes.Structure):
    _fields_ = [("frame", Address), ("flag", WORD)]


class TypeSizes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint8) for name in
                ("char", "short", "int", "long", "long_long", "pointer")]


ALLOC = ctypes.CFUNCTYPE(ctypes.c_int, U64, POINTER(HANDLE))
FREE = ctypes.CFUNCTYPE(ctypes.c_int, HANDLE)
PRINT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_int)
SIZES = ctypes.CFUNCTYPE(ctypes.c_int, HANDLE, POINTER(TypeSizes))
SYMBOL = ctypes.CFUNCTYPE(ctypes.c_int, HANDLE, HANDLE, ctypes.c_char_p, POINTER(Address),
                          ctypes.c_char_p)
READ = ctypes.CFUNCTYPE(ctypes.c_int, HANDLE, HANDLE, POINTER(Address), U64, HANDLE)
THREAD = ctypes.CFUNCTYPE(ctypes.c_int, HANDLE, U64, U64, HANDLE, POINTER(HANDLE))
CONVERT = ctypes.CFUNCTYPE(ctypes.c_int, HANDLE, HANDLE, U64, U64, HANDLE)


class Callbacks(ctypes.Structure):
    _fields_ = [("alloc", ALLOC), ("free", FREE), ("print", PRINT), ("sizes", SIZES),
                ("symbol", SYMBOL), ("read", READ), ("write", HANDLE), ("read_string", READ),
                ("to_host", CONVERT), ("to_device", CONVERT), ("thread_context", THREAD)]


libc = ctypes.CDLL(None)
libc.malloc.restype = HANDLE
libc.malloc.argtypes = [ctypes.c_size_t]
libc.free.argtypes = [HANDLE]


def alloc(size, result):
    memory = libc.malloc(size)
    if not memory:
        return NOMEM
    result[0] = memory
    return OK


def free(memory):
    libc.free(memory)
    return OK


def print_string(text, _category):
    gdb.write(text.decode(errors="replace"))
    return OK


def guarded(answer_to_error):
    """A callback must not raise an exception into the library."""
    def wrap(function):
        def callback(*arguments):
            try:
                return function(*arguments)
            except (gdb.error, gdb.MemoryError):
                return answer_to_error
            except Exception:  # ctypes would print it and continue with an arbitrary result
                return CALLBACK_ERROR
        return callback
    return wrap


@guarded(ERROR)
def sizes(_context, result):
    for name, _ in TypeSizes._fields_:
        spelled = {"long_long": "long long", "pointer": "void *"}.get(name, name)
        setattr(result[0], name, int(gdb.parse_and_eval("sizeof(%s)" % spelled)))
    return OK


counts = {"reads": 0, "lookups": 0}  # callbacks, for measurements


@guarded(ERROR)
def symbol(_context, _thread, name, result, _file):
    counts["lookups"] += 1
    result[0].address = address_of(name.decode())
    return OK


@guarded(READ_ERROR)
def read(_context, _thread, address, size, buffer):
    counts["reads"] += 1
    data = gdb.selected_inferior().read_memory(address[0].address, size)
    ctypes.memmove(buffer, bytes(data), size)
    return OK


# For the session's target; asking gdb for each number would take most of the time.
shape = {"is_big_endian": False, "lwps": frozenset()}


@guarded(ERROR)
def convert(_context, source, unit, count, target):
    data = ctypes.string_at(source, unit * count)
    if shape["is_big_endian"]:
        data = b"".join(data[i:i + unit][::-1] for i in range(0, len(data), unit))
    ctypes.memmove(target, data, len(data))
    return OK


@guarded(ERROR)
def thread_context(_context, kind, size, number, result):
    """Reports whether there is a thread with the kernel's number. Its context is not used here."""
    if kind != LWP or size != 4:
        return UNSUPPORTED
    if ctypes.cast(number, POINTER(ctypes.c_uint32))[0] not in shape["lwps"]:
        return UNAVAILABLE
    result[0] = 1
    return OK


# Kept here, because the library calls them as long as it is loaded.
CALLBACKS = Callbacks(ALLOC(alloc), FREE(free), PRINT(print_string), SIZES(sizes), SYMBOL(symbol),
                      READ(read), None, READ(read), CONVERT(convert), CONVERT(convert), THREAD(thread_context))


def in_c(function):
    """The expressions in these commands are in C, but the program's language may be another."""
    def call(*arguments):
        language = gdb.parameter("language")
        gdb.execute("set language c", to_string=True)
        try:
            return function(*arguments)
        finally:
            gdb.execute("set language " + language, to_string=True)
    return call


def address_of(name):
    """Needs no debug information, because the runtime's symbols are dynamic."""
    return int(gdb.parse_and_eval("(unsigned long)&%s" % name))


def plugin_paths():
    """The paths of its plugin that the runtime in the target reports."""
    try:
        table, where = address_of("rt_debug_table"), address_of("ompd_dll_locations")
    except gdb.error:
        raise gdb.GdbError("omp: " + why_no_runtime())
    text = gdb.lookup_type("char").pointer().pointer()
    vector = gdb.Value(where).cast(text.pointer()).dereference()
    paths, has_started = [], int(vector) != 0
    while int(vector) != 0 and int(vector.dereference()) != 0:
        paths.append(vector.dereference().string())
        vector += 1
    if not paths:
        raise gdb.GdbError("omp: " + why_no_plugin(gdb.solib_name(table), has_started))
    return paths


loaded = {}


def initialize(library):
    library.ompd_initialize.argtypes = [WORD, POINTER(Callbacks)]
    return library.ompd_initialize(API_VERSION, ctypes.byref(CALLBACKS))


def private_copy(path):
    """Loads the library a second time in a separate namespace, because it can only be initialised once."""
    libc.dlmopen.restype = HANDLE
    libc.dlmopen.argtypes = [ctypes.c_long, ctypes.c_char_p, ctypes.c_int]
    handle = libc.dlmopen(-1, path.encode(), os.RTLD_NOW)
    if not handle:
        raise OSError("%s: another client in this gdb has initialised it, and it cannot be loaded a "
                      "second time" % path)
    return ctypes.CDLL(path, handle=handle)


def load_library():
    """The first library in the target's list that can be loaded and supports this version."""
    problems = []
    for path in plugin_paths():
        path = os.path.realpath(path)
        if path in loaded:
            return loaded[path]
        try:
            library = ctypes.CDLL(path)
            rc = initialize(library)
            if rc == ERROR:  # initialised by another client in this gdb, with its callbacks: take a copy
                library = private_copy(path)
                rc = initialize(library)
        except OSError as problem:
            problems.append(str(problem))
            continue
        if rc == OK:
            loaded[path] = library
            return library
        problems.append("%s: ompd_initialize: %s" % (path, RC_NAMES[rc]))
    raise gdb.GdbError("omp: cannot load the runtime's debugger library: " + "; ".join(problems))


def living_threads():
    """gdb's threads by the kernel's numbers; gdb's list may still contain threads that have ended. The one by which
    libpomp observes the others does nothing in the program."""
    return {thread.ptid[1] or thread.ptid[0]: thread for thread in gdb.selected_inferior().threads()
            if thread.is_valid() and not thread.is_exited() and thread.name != "pomp-observer"}


def reason(rc):
    """What a return code of the library means for the user."""
    if any(thread.is_running() for thread in living_threads().values()):
        return "threads that run may have changed what was being read; `interrupt -a` stops all"
    return REASONS.get(rc, "the process's OpenMP data cannot be read, or are damaged")


class Session:
    """One target, for one command."""

    def __init__(self):
        self.library = load_library()
        self.handles = []
        shape.update(is_big_endian="big endian" in gdb.execute("show endian", to_string=True),
                     lwps=frozenset(living_threads()))
        self.context = ctypes.create_string_buffer(1)
        self.space = None
        self.space = self.get("process_initialize", ctypes.addressof(self.context),
                              release="address_space")
        if self.space is None:
            raise gdb.GdbError("omp: the process does not have ompinst's OpenMP runtime")
        self.states = self.read_states()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for release, handle in reversed(self.handles):
            getattr(self.library, "ompd_rel_%s_handle" % release)(HANDLE(handle))

    def call(self, name, *arguments, accept=()):
        rc = getattr(self.library, "ompd_" + name)(*arguments)
        if rc != OK and rc not in accept:
            raise gdb.GdbError("omp: ompd_%s: %s; %s" % (name, RC_NAMES[rc], reason(rc)))
        return rc

    def call_extension(self, name, *arguments):
        """Calls an extension's function, which an old version of the library may lack."""
        try:
            function = getattr(self.library, "ompdx_" + name)
        except AttributeError:
            raise gdb.GdbError("omp: the runtime's libompd.so cannot report this (it has no ompdx_%s): "
                               "start the program with the runtime of this version of ompinst" % name)
        rc = function(*arguments)
        if rc != OK:
            raise gdb.GdbError("omp: ompdx_%s: %s; %s" % (name, RC_NAMES[rc], reason(rc)))

    def get(self, name, *arguments, release):
        """Returns a handle, or None at the end of a chain."""
        result = HANDLE()
        arguments = [HANDLE(a) if i == 0 else a for i, a in enumerate(arguments)]
        if self.call(name, *arguments, ctypes.byref(result), accept=(UNAVAILABLE,)) != OK:
            return None
        self.handles.append((release, result.value))
        return result.value

    def text(self, pointer):
        """Returns a text that must be freed here."""
        text = ctypes.string_at(pointer).decode(errors="replace")
        libc.free(pointer)
        return text

    def read_states(self):
        states, state, more = {}, WORD(FIRST_STATE), WORD(1)
        while more.value:
            following, name = WORD(), HANDLE()
            self.call("enumerate_states", HANDLE(self.space), state, ctypes.byref(following),
                      ctypes.byref(name), ctypes.byref(more))
            state = following
            states[state.value] = self.text(name)
        return states

    def runtime(self):
        text = HANDLE()
        self.call("get_omp_version_string", HANDLE(self.space), ctypes.byref(text))
        return self.text(text)

    def version(self):
        """The version of the library, a constant in it."""
        text = ctypes.c_char_p()
        self.call("get_version_string", ctypes.byref(text))
        return text.value.decode(errors="replace")

    def thread(self, lwp):
        number = ctypes.c_uint32(lwp)
        return self.get("get_thread_handle", self.space, U64(LWP), U64(4), ctypes.byref(number),
                        release="thread")

    def threads(self, lwps):
        """{number: handle or None} of native threads. Each lookup walks over all threads, so members of
        regions that are found on the way are kept, too."""
        found = {}
        for lwp in sorted(lwps):
            if lwp in found:
                continue
            found[lwp] = thread = self.thread(lwp)
            region = self.region(thread) if thread is not None else None
            while region is not None:
                for number in range(self.icv(region, SCOPE_PARALLEL, TEAM_SIZE)):
                    member = self.member(region, number)
                    if member is not None:
                        found.setdefault(self.lwp(member), member)
                region = self.enclosing(region)
        return found

    def lwp(self, thread):
        number = ctypes.c_uint32()
        self.call("get_thread_id", HANDLE(thread), U64(LWP), U64(4), ctypes.byref(number))
        return number.value

    def state(self, thread):
        state, wait = WORD(), U64()
        self.call("get_state", HANDLE(thread), ctypes.byref(state), ctypes.byref(wait))
        return self.states.get(state.value, "state %#x" % state.value), wait.value

    def same(self, kind, one, two):
        order = ctypes.c_int()
        self.call(kind + "_handle_compare", HANDLE(one), HANDLE(two), ctypes.byref(order))
        return order.value == 0

    def region(self, thread):
        return self.get("get_curr_parallel_handle", thread, release="parallel")

    def enclosing(self, region):
        return self.get("get_enclosing_parallel_handle", region, release="parallel")

    def member(self, region, number):
        return self.get("get_thread_in_parallel", region, ctypes.c_int(number), release="thread")

    def task(self, thread):
        return self.get("get_curr_task_handle", thread, release="task")

    def implicit_task(self, region, number):
        return self.get("get_task_in_parallel", region, ctypes.c_int(number), release="task")

    def generating(self, task):
        return self.get("get_generating_task_handle", task, release="task")

    def function(self, task):
        """The address of the task's code, None: the initial task."""
        entry = Address()
        rc = self.call("get_task_function", HANDLE(task), ctypes.byref(entry),
                       accept=(UNAVAILABLE,))
        return entry.address if rc == OK else None

    def frames(self, task):
        leave, enter = Frame(), Frame()
        self.call("get_task_frame", HANDLE(task), ctypes.byref(leave), ctypes.byref(enter))
        return leave.frame.address, enter.frame.address

    def icvs(self):
        """(number, name, scope) of every variable."""
        number, more = U64(0), ctypes.c_int(1)
        while more.value:
            following, name, scope = U64(), HANDLE(), ctypes.c_int()
            self.call("enumerate_icvs", HANDLE(self.space), number, ctypes.byref(following),
                      ctypes.byref(name), ctypes.byref(scope), ctypes.byref(more))
            number = following
            yield number.value, self.text(name), scope.value

    def icv(self, handle, scope, number):
        value = WORD()
        self.call("get_icv_from_scope", HANDLE(handle), ctypes.c_int(scope), U64(number),
                  ctypes.byref(value), accept=(INCOMPLETE,))
        return value.value

    def icv_text(self, handle, scope, number):
        text = HANDLE()
        self.call("get_icv_string_from_scope", HANDLE(handle), ctypes.c_int(scope), U64(number),
                  ctypes.byref(text))
        return self.text(text)

    def control_variables(self):
        vector = POINTER(ctypes.c_char_p)()
        if self.call("get_display_control_vars", HANDLE(self.space), ctypes.byref(vector),
                     accept=(UNAVAILABLE,)) != OK:
            return []
        result = []
        while vector[len(result)] is not None:
            result.append(vector[len(result)].decode(errors="replace"))
        self.call("rel_display_control_vars", ctypes.byref(vector))
        return result
