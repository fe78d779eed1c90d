# SPDX-License-Identifier: BSD-3-Clause
"""How the `omp` commands name threads, objects, code and frames, and the base class of a command."""
import os
import re

import gdb
from omp_library import Session, in_c, living_threads

# State -> what `omp threads` prints, and what it waits for; {} is the object.
WORDS = {
    "ompt_state_work_serial": "serial code",
    "ompt_state_work_parallel": "works",
    "ompt_state_wait_barrier": "waits at a barrier",
    "ompt_state_wait_barrier_implicit_parallel": "waits at the region's end",
    "ompt_state_wait_taskwait": "waits for its child tasks",
    "ompt_state_wait_taskgroup": "waits for its taskgroup",
    "ompt_state_wait_lock": "waits for lock {}",
    "ompt_state_wait_critical": "waits for critical {}",
    "ompt_state_wait_atomic": "waits for an atomic operation",
    "ompt_state_wait_ordered": "waits for its turn (ordered)",
    "ompt_state_wait_mutex": "waits for a reduction by another thread",
    "ompt_state_idle": "idle",
}


MOST_NAMED = 6    # threads, tasks named one by one
LONGEST_NAME = 60  # of a function with the types of its parameters


def listed(words):
    """"a, b and 7 more", each only once."""
    words = list(dict.fromkeys(words))
    if len(words) <= MOST_NAMED:
        return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
    return "%s and %d more" % (", ".join(words[:MOST_NAMED]), len(words) - MOST_NAMED)


# gcc's names, and clang's, whose tasks do not bear the name of the function that they came from.
OUTLINED = re.compile(r"^(.*?)(\._omp_fn\.\d+|\.omp_outlined\.?(?:\.\d+)?|\.omp_task_entry\.(?:\.\d+)?)(?:\(void\))?$")
readable = {}  # names in the program's language, by the linker's


def in_words(name):
    """The C++ spelling of a mangled name, also of a function that the compiler outlined from another."""
    if name not in readable:
        # What clang adds to the name of the code itself, if there is debug information.
        known = name.replace(".omp_outlined_debug__", ".omp_outlined")
        match = OUTLINED.match(known)
        plain, suffix = match.groups() if match else (known, "")
        if plain.startswith("_Z"):
            try:
                plain = gdb.execute("demangle -l c++ -- " + plain, to_string=True).strip()
            except gdb.error:
                pass
        readable[name] = plain + suffix
    return readable[name]


def symbol_at(address):
    """The function or variable at the address, "array+8" inside one; None: none. Needs no debug
    information."""
    block = None
    try:
        block = gdb.block_for_pc(address)
    except RuntimeError:
        pass
    while block is not None and block.function is None:
        block = block.superblock
    if block is not None and block.start == address:
        return in_words(block.function.linkage_name)
    name, offset = linker_symbol(address)
    return in_words(name) + offset if name is not None else None


def linker_symbol(address):
    """(name, "+8" inside it) from the symbol table; (None, "") if there is none. The name is in the
    linker's spelling, because gdb takes "main._omp_fn.0" for an Ada name and would omit the number."""
    text = gdb.execute("with print demangle off -- info symbol %#x" % address, to_string=True)
    match = re.match(r"(\S+)(?: \+ (\d+))? in section", text)
    if match is None:
        return None, ""
    return match.group(1), "+" + match.group(2) if match.group(2) else ""


def frame_name(frame):
    """The name of a frame's function, None: unknown. Without debug information it comes from the symbol
    table; the address in a caller is after its call, which may be the function's last instruction."""
    name = frame.name()
    if name is None or frame.function() is not None:
        return name
    return linker_symbol(frame.pc() - (1 if frame.level() else 0))[0] or name


def variable_at(frame, address):
    """The frame's variable at the address, or one that a pointer in the frame points to; None: none."""
    try:
        block = frame.block()
    except RuntimeError:
        return None
    while block is not None and not block.is_global and not block.is_static:
        for symbol in block:
            if not symbol.is_variable and not symbol.is_argument:
                continue
            try:
                value = symbol.value(frame)
                if value.is_optimized_out:
                    continue
                if value.address is not None and \
                        0 <= address - int(value.address) < value.type.sizeof:
                    return element(symbol.name, value, address - int(value.address))
                if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR and int(value) == address:
                    return "*" + symbol.name
            except (gdb.error, TypeError, ValueError):
                continue
        block = block.superblock
    return None


def element(name, value, offset):
    """"locks[2]" for an address inside an array with that name."""
    kind = value.type.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        return "%s[%d]" % (name, offset // kind.target().sizeof)
    return name if offset == 0 else "%s+%d" % (name, offset)


def global_element(name, address):
    """"locks[2]" for "locks+8", if it is an array according to its debug information."""
    plain = name.split("+")[0]
    try:
        value = gdb.parse_and_eval("'%s'" % plain)
        return element(plain, value, address - int(value.address))
    except (gdb.error, TypeError, ValueError):
        return name


def object_name(address, frames=()):
    """A lock or a critical construct by the program's name for it; local variables of the frames are
    considered."""
    name = symbol_at(address)
    if name is None:
        for frame in frames:
            name = variable_at(frame, address)
            if name is not None:
                break
        return "%#x" % address if name is None else "%s (%#x)" % (name, address)
    critical = re.match(r"\.?gomp_critical_user_(.*?)(\.var)?$", name)  # the symbol for a named one; clang's ends with .var
    if critical:
        return "(%s)" % (critical.group(1) or "unnamed")
    if name == "rt_unnamed_critical":
        return "(unnamed)"
    return "%s (%#x)" % (global_element(name, address), address)


def shortened(name):
    """A long C++ name without the types of the parameters: "do_force(...)"."""
    end, depth = name.rfind(")"), 0
    if len(name) <= LONGEST_NAME:
        return name
    for begin in range(end, -1, -1):
        depth += (name[begin] == ")") - (name[begin] == "(")
        if depth == 0:
            return name[:begin] + "(...)" + name[end + 1:]
    return name


begins = {}  # where libraries begin in a process, by both


def begin_of(library):
    """None: gdb cannot say."""
    key = gdb.selected_inferior().pid, library
    if key not in begins:
        try:
            mappings = gdb.execute("info proc mappings", to_string=True)
        except gdb.error:
            mappings = ""
        path = re.escape(os.path.realpath(library))
        first = re.search(r"^ *(0x\w+) +0x\w+ +0x\w+ +0x0 +(?:\S+ +)?(?:%s|%s)$" % (re.escape(library), path), mappings, re.M)
        begins[key] = int(first[1], 16) if first else None
    return begins[key]


def unnamed(address):
    """Code without a name in debug information and symbol table: "libm.so.6+0x1234", as in profiles and in `ompinst top`."""
    library = gdb.solib_name(address)
    begin = begin_of(library) if library else None
    if begin is not None and begin <= address:
        return "%s+%#x" % (os.path.basename(library), address - begin)
    return "%#x in %s" % (address, os.path.basename(library)) if library else "%#x" % address


def code_name(address):
    """An outlined function with its place: 'main._omp_fn.0 at a.c:8'."""
    if not address:
        return "the program"
    name = shortened(symbol_at(address) or unnamed(address))
    place = gdb.find_pc_line(address)
    if place.symtab is not None and place.line:
        return "%s at %s:%d" % (name, os.path.basename(place.symtab.filename), place.line)
    return name


def functions_around(address):
    """The names of the function there and, if it is inlined, of the functions that it is inlined in. gcc
    describes outlined functions inside those that they came from, but they are inlined in none."""
    names, block = [], None
    try:
        block = gdb.block_for_pc(address)
    except RuntimeError:
        pass
    while block is not None and not block.is_static and not (names and OUTLINED.match(names[-1])):
        if block.function is not None:
            names.append(in_words(block.function.linkage_name or block.function.name))
        block = block.superblock
    return names


def site_name(site, function):
    """The place that generates a task with this code: 'spawn, inlined in main, at a.c:8'. Without OMP_DEBUG
    the site is 0; then the function and the line are those that the task's code was outlined from."""
    if site:
        place, names = gdb.find_pc_line(site - 1), functions_around(site - 1)
        if names and place.symtab is not None and place.line:
            return "%s at %s:%d" % (", inlined in ".join(names) + ("," if names[1:] else ""),
                                    os.path.basename(place.symtab.filename), place.line)
    name, separator, place = code_name(function).partition(" at ")
    outlined = OUTLINED.match(name)
    return (outlined.group(1) or "a function" if outlined else name) + separator + place


def activity(session, thread):
    state, wait = session.state(thread)
    return WORDS.get(state, state).format(object_name(wait) if wait else "")


def native_threads():
    """gdb's threads by the kernel's numbers."""
    threads = living_threads()
    if not threads:
        raise gdb.GdbError("omp: there is no process: `run` the program, `attach` to it or load a "
                           "core file")
    return threads


def newest_frame(native):
    """Selects the thread and returns its innermost frame; None: the thread runs (non-stop mode)."""
    native.switch()
    return None if native.is_running() else gdb.newest_frame()


def print_running():
    """In non-stop mode some threads may run while a command shows the contents of the process's records."""
    running = ["thread %d" % thread.num for thread in living_threads().values() if thread.is_running()]
    if running:
        print("%s %s meanwhile (non-stop mode): what is shown of %s may be over; `interrupt -a` stops all threads" % (
            listed(running), *(("run", "them") if running[1:] else ("runs", "it"))))


def current_thread(session):
    selected = gdb.selected_thread()
    if selected is None:
        native_threads()
        raise gdb.GdbError("omp: no thread is selected: `thread 1`")
    thread = session.thread(selected.ptid[1] or selected.ptid[0])
    if thread is None:
        raise gdb.GdbError("omp: thread %d has never used OpenMP; `omp threads` shows which have"
                           % selected.num)
    return thread


def is_runtimes(frame):
    """A frame with any name of the runtime; also of libpomp, which is between an instrumented program and
    its locks."""
    library = os.path.basename(gdb.solib_name(frame.pc()) or "")
    return library.startswith(("libgomp.so", "libomp.so", "libiomp5.so", "libpomp.so"))


def is_libpomps(frame):
    """A frame in libpomp, or in its wrappers of MPI, which stand between the program and MPI's functions."""
    return os.path.basename(gdb.solib_name(frame.pc()) or "").startswith("libpomp")


def is_users(frame):
    """A frame outside of the runtime and of the code with which libc starts a thread or the program. (gdb
    itself ends a stack at main, but not if main is Fortran's.) Some of libc's names have a prefix in its
    debug information."""
    return not is_runtimes(frame) and (frame.name() or "").removeprefix("__GI_") not in (
        "start_thread", "clone3", "clone", "__clone3", "__libc_start_call_main", "__libc_start_main_impl",
        "__libc_start_main", "_start")


def is_repetition(frame):
    """With debug information, clang divides outlined code into a function that is called and the code
    itself."""
    newer = frame.newer()
    name, code = frame_name(frame) or "", newer is not None and frame_name(newer) or ""
    return code == name + "_debug__" or (name.startswith(".omp_task_entry.") and code.startswith(".omp_outlined."))


def frame_line(frame):
    place = frame.find_sal()
    name = frame_name(frame)
    name = shortened(in_words(name)) if name else unnamed(frame.pc())
    if place.symtab is not None and place.line:
        return "%s at %s:%d" % (name, os.path.basename(place.symtab.filename), place.line)
    return name


def is_within(frame, address):
    """Returns whether a stack address is in this frame."""
    older = frame.older()
    return int(frame.read_register("sp")) <= address and \
        (older is None or address < int(older.read_register("sp")))


def is_systems(frame):
    """A frame in libc or the loader."""
    library = os.path.basename(gdb.solib_name(frame.pc()) or "")
    return library.startswith(("libc.so", "libpthread", "ld-linux", "ld-musl")) or (frame.name() or "").startswith("__vdso")


def is_being_started(native):
    """Returns whether the runtime has started the thread, but the thread has not entered its records yet.
    Selects the thread."""
    frame = newest_frame(native)
    while frame is not None and not is_runtimes(frame):
        frame = frame.older()
    return frame is not None


def has_jumped(native, address):
    """Returns whether the thread has left the frame at a stack address (longjmp). That is only certain if
    its stack continues without a gap from here to where the thread began, because coroutines have stacks
    of their own. The address may meanwhile be in something that the thread called later; a function of
    libc at this address, called by the program, is certainly not the frame. Selects the thread."""
    frame, newer = newest_frame(native), None
    while frame is not None:
        older = frame.older()
        is_above = int(frame.read_register("sp")) > address
        is_below = older is not None and int(older.read_register("sp")) <= address
        if not is_above and not is_below and (not is_systems(frame) or newer is not None and not is_systems(newer)):
            return False
        if older is None:
            return is_outermost(frame)
        frame, newer = older, frame
    return False


def executes_handler(native, waits, bottom):
    """Returns whether the thread executes a signal handler in the middle of a wait, and the handler itself
    does not wait. The thread's current task, whose frames are above the stack address `bottom` (0:
    unknown), has recorded `waits` waits. Each signal divides the stack into what it interrupted and the
    handler. A part is a wait if the runtime is innermost in it, not counting libc. Selects the thread."""
    frame, parts = newest_frame(native), [None]  # for each part, from the innermost: whether the runtime is innermost
    while frame is not None and not (bottom and is_within(frame, bottom)):
        if frame.type() == gdb.SIGTRAMP_FRAME:
            parts.append(None)
        elif parts[-1] is None and not is_systems(frame):
            parts[-1] = is_runtimes(frame)
        frame = frame.older()
    return len(parts) > 1 and (not parts[0] or sum(map(bool, parts)) > waits)


def is_distributions(frame):
    """A frame in a library that came with the system, judging by its folder, or in the kernel's."""
    library = gdb.solib_name(frame.pc())
    if library is None:
        return (frame.name() or "").startswith("__vdso")
    return re.match(r"(target:)?(/usr)?/lib(32|64|x32)?/", library) is not None or is_systems(frame)


def is_of_system(native):
    """Returns whether the thread executes nothing of the program: one that MPI or libpomp has for itself. Selects it."""
    frame = newest_frame(native)
    while frame is not None and (is_distributions(frame) or is_runtimes(frame)):
        frame = frame.older()
    return frame is None


def is_outermost(frame):
    return (frame.name() or "").removeprefix("__GI_") in ("main", "_start", "start_thread", "clone", "clone3", "__clone3") or \
        frame.unwind_stop_reason() == gdb.FRAME_UNWIND_OUTERMOST


class KeepSelection:
    """Selects the user's thread and frame again at the end."""

    def __enter__(self):
        self.thread = gdb.selected_thread()
        is_stopped = self.thread is not None and not self.thread.is_running()
        self.frame = gdb.selected_frame() if is_stopped else None
        return self

    def __exit__(self, *_):
        if self.thread is not None:
            self.thread.switch()
        if self.frame is not None and self.frame.is_valid():
            self.frame.select()


def users_frames(native, is_waiting, bottom=0):
    """The program's innermost frames in a thread, up to where the runtime called the program: at the stack
    address `bottom`, or where the next frame of the runtime is. In a waiting thread the runtime's own
    frames are innermost. Selects the thread; the frames are valid until another one is selected."""
    frame, frames, has_waited = newest_frame(native), [], not is_waiting
    while frame is not None:
        if is_runtimes(frame):
            if frames or (bottom and is_within(frame, bottom)):
                break
            has_waited = True
        elif has_waited and is_users(frame):
            frames.append(frame)
        frame = frame.older()
    return frames


def innermost(frames):
    """Among the program's frames, the innermost one in a file of the user's own, in any library that did
    not come with the system, or that contains the code which the runtime, or main, has called. If no
    line is known for those, the best one there is."""
    own = next((gdb.solib_name(frame.pc()) for frame in reversed(frames) if not is_systems(frame)), None)

    def rank(frame):
        place, is_own = frame.find_sal(), gdb.solib_name(frame.pc()) == own or not is_distributions(frame)
        has_line = place.symtab is not None and place.line > 0
        if has_line and is_own and not re.match(r"/usr/(include|lib)/", place.symtab.filename):
            return 0
        if has_line and not is_systems(frame):
            return 1
        return 2 if is_own else 4 if is_systems(frame) else 3
    return min(frames, key=rank, default=None)


class Command(gdb.Command):
    """A command of the `omp` family; `words` are its arguments, each with its meaning."""
    words = {}

    def __init__(self):
        super().__init__("omp " + self.name, gdb.COMMAND_STATUS)

    def complete(self, text, word):
        # No word: newer gdbs first ask where words end.
        used = text.split()
        return [known for known in self.words if known.startswith(word or "") and known not in used]

    @in_c
    def invoke(self, arguments, _from_tty):
        given = arguments.split()
        for word in given:
            if word not in self.words:
                known = ", ".join(self.words)
                raise gdb.GdbError("omp %s: '%s': %s" % (
                    self.name, word, "expected one of: " + known if known
                    else "it takes no arguments"))
        native_threads()
        with Session() as session:
            self.show(session, *given)
