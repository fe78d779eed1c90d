# SPDX-License-Identifier: BSD-3-Clause
"""`omp why`: what each thread waits for, which threads must act to end the wait, and whether they can.

The library reports the waits, their needs, and which waits cannot end; here they get the program's names
and become sentences.
"""
import gdb
import omp_extensions as extensions
import omp_futex
import omp_outside
import omp_taken
from omp_rank import print_rank
from omp_words import (MOST_NAMED, Command, KeepSelection, code_name, executes_handler, frame_line, has_jumped,
                       innermost, is_of_system, listed, native_threads, object_name, print_running, users_frames)

MOST_PLACES = 64  # threads whose stack is read; each takes milliseconds
MOST_BLOCKED = 256  # the same, of those that may be blocked outside of OpenMP
MOST_HANDLERS = 8  # rounds in which further threads are found to execute a signal handler
MOST_REPORTED = 64  # tasks that the library reports for a wait for more
MOST_TASKS = 100000  # that are looked at for those that no thread may begin

WITHOUT_NAME = {"MPI": "another rank", "gil": "Python's lock of the interpreter (GIL)", "barrier": "the others at a pthread barrier",
                "once": "another thread's call (pthread_once)", "future": "a std::future",
                "static": "another thread's initialisation of a static variable"}
UNKNOWN = {"condition": "who could signal it is not known",
           "once": "which thread makes the call is not known", "future": "who could fulfill it is not known",
           "static": "which thread initialises it is not known",
           "barrier": "which threads are missing is not known", "rwlock to write": "held by readers, which it does not name",
           "rwlock to read": "held by readers and wanted by a writer"}

GONE = (extensions.NEED_ENDED, extensions.NEED_JUMPED)
THREADLESS = (extensions.NEED_PASSED, extensions.NEED_NO_LOCK)
ORDERED = "ompt_state_wait_ordered"
LOCKS = ("ompt_state_wait_lock", "ompt_state_wait_critical", "ompt_state_wait_atomic",
         "ompt_state_wait_mutex")


remembered = {}  # by process: what its threads did when `omp why` or `omp changes` looked last


class BlockedWait:
    """A wait outside of OpenMP, as a wait of the graph: what is different has the values of a wait without it."""
    task = region = state = above = interrupted = need_count = first_need = 0
    is_over = executes_tasks = is_sink = is_unnamed = False

    def __init__(self, lwp, awaited):
        self.thread, self.kind, self.object, self.by, self.owner = lwp, awaited.kind, awaited.address, awaited.by, awaited.owner
        self.is_stuck = False


class WaitGraph:
    """The waits of a process, with gdb's threads. `blocked`: by thread, its wait outside of OpenMP; of the threads `endless`
    it is assumed that no thread can end their calls."""

    def __init__(self, session, endless=()):
        self.session = session
        self.native = native_threads()
        self.known = session.threads(self.native)
        self.is_running = any(thread.is_running() for thread in self.native.values())
        self.places, self.names, self.calls, self.acting, self.blocked = {}, {}, {}, [], {}
        self.notes = omp_taken.notes()
        self.endless = {lwp: BlockedWait(lwp, omp_futex.Awaited("MPI", 0, lwp)) for lwp in endless}
        self.blocked.update(self.endless)
        self.read_waits([])
        jumped = self.jumped()
        self.find_blocked(lwp for lwp in self.native if not self.waits_now(lwp) and not self.is_idle(lwp))
        if jumped or self.blocked:
            self.read_waits(jumped)
        for _ in range(MOST_HANDLERS):  # a handler that is blocked can make more waits stuck
            acting = [lwp for lwp in self.find_acting() if lwp not in self.acting]
            if not acting:
                break
            self.acting += acting
            self.find_blocked(acting)
            self.read_waits(jumped)

    def find_blocked(self, lwps):
        for lwp in list(lwps)[:MOST_BLOCKED]:
            if not omp_outside.may_be_blocked(self.native[lwp]):
                continue
            self.calls[lwp] = call = omp_outside.call_of(self.native[lwp])
            if call is not None and call.awaited is not None:
                self.blocked[lwp] = BlockedWait(lwp, call.awaited)

    def read_waits(self, jumped):
        all_known = all(thread is not None or lwp in self.blocked for lwp, thread in self.known.items())
        self.waits, self.needs, stuck = extensions.waits(
            self.session, all_known, jumped, self.acting, [(wait.thread, wait.by) for wait in self.blocked.values()])
        for wait in self.blocked.values():
            wait.is_stuck = wait.thread in stuck
        self.by_task = {wait.task: wait for wait in self.waits if not wait.interrupted}
        self.on_thread = {}
        for wait in sorted(self.waits, key=lambda wait: (wait.above, wait.interrupted)):
            self.on_thread.setdefault(wait.thread, []).append(wait)
        self.running = {need.thread: need.frame for need in self.needs if need.kind == extensions.NEED_TASK
                       and need.state == extensions.TASK_STATES["running"]}

    def jumped(self):
        """Records of tasks that something waits for and that their threads have left by longjmp. Threads
        that execute the program are checked first."""
        tasks = {need.id: need for need in self.needs if need.kind == extensions.NEED_TASK
                 and need.frame and need.thread in self.native}
        needs = sorted(tasks.values(), key=lambda need: need.thread in self.on_thread)
        return [need.id for need in needs[:MOST_PLACES] if has_jumped(self.native[need.thread], need.frame)]

    def find_acting(self):
        """Threads that seem stuck, or are idle and hold something, but execute a signal handler, which may
        do anything. All of them are checked, because one that is missed would be reported as stuck."""
        lwps = [wait.thread for wait in self.waits if wait.is_stuck and wait.above == 0]
        lwps += [need.thread for need in self.needs if need.kind == extensions.NEED_THREAD and self.is_idle(need.thread)]
        return [lwp for lwp in dict.fromkeys(lwps) if lwp in self.native and executes_handler(
            self.native[lwp], len(self.waits_now(lwp)) or 1, self.bottom(lwp, None))]

    def needs_of(self, wait):
        return self.needs[wait.first_need:wait.first_need + wait.need_count]

    def place_of(self, lwp):
        """The innermost frame of the program in a thread, " at f in a.c:3"; "" if it is unknown."""
        if lwp not in self.native:
            return ""
        if lwp not in self.places:
            if len(self.places) >= MOST_PLACES:
                return ""
            self.places[lwp] = self.find_place(lwp)
        return self.places[lwp]

    def find_place(self, lwp):
        """Optimised code may leave no frame of the task if its last action is to call the runtime; then the
        task's code is the place."""
        thread = self.known.get(lwp)
        task = self.session.task(thread) if thread is not None else None
        is_waiting = self.waits_now(lwp) and lwp not in self.acting
        frames = users_frames(self.native[lwp], is_waiting, self.bottom(lwp, task))
        if lwp in self.blocked and self.blocked[lwp].kind == "gil":
            frames = omp_outside.beyond_python(frames)
        frame = innermost(frames)
        if frame is not None:
            return ", in " + frame_line(frame)
        function = self.session.function(task) if task is not None else None
        return ", in " + code_name(function) if function else ""

    def bottom(self, lwp, task):
        """The stack address where its current task begins. The library reports it for tasks that wait or
        are waited for; for other tasks it needs a walk over all threads."""
        if self.waits_now(lwp):
            return self.on_thread[lwp][0].frame
        if lwp in self.running:
            return self.running[lwp]
        return self.session.frames(task)[0] if task is not None else 0

    def waits_now(self, lwp):
        """The waits of its current task, beginning with the innermost."""
        return [wait for wait in self.on_thread.get(lwp, []) if wait.above == 0]

    def thread(self, lwp):
        if lwp in self.native:
            return "thread %d" % self.native[lwp].num
        if lwp == 0:  # it has not entered its number yet
            return "a thread that is being started"
        return "LWP %d, which has ended" % lwp

    def outsider(self, lwp):
        """A thread that one of the program's mutexes names; with a shared mutex it may belong to another
        process."""
        return self.thread(lwp) if lwp in self.native else "LWP %d, no thread of this process" % lwp

    def object_of(self, wait):
        """The name of a lock. Only the waiting thread's variables are considered, so the name is the same
        in all sentences."""
        if wait.object not in self.names:
            frames = []  # valid as long as gdb stays with the thread
            if wait.thread in self.native and len(self.names) < MOST_PLACES:
                is_waiting = not self.is_below(wait) and wait.thread not in self.acting and wait.thread not in self.blocked
                frames = users_frames(self.native[wait.thread], is_waiting)
            self.names[wait.object] = object_name(wait.object, frames[:8])
        return self.names[wait.object]

    def condition_of(self, wait):
        """Its waiters wait in the middle of it, where depends on the version of glibc; so it has a name only if one
        begins before."""
        for offset in omp_futex.CONDITION_SIGNALS:
            begin = BlockedWait(wait.thread, omp_futex.Awaited(wait.kind, wait.object - wait.object % 8 - offset, 0))
            name = self.object_of(begin)
            if " (" in name and "+" not in name:
                return name.split(" (")[0]
        return "with the word %#x" % wait.object

    def describe_blocked(self, wait):
        if wait.kind == "join":
            return "the end of %s (pthread_join)" % self.thread(wait.by)
        if wait.kind in WITHOUT_NAME:
            return WITHOUT_NAME[wait.kind]
        if wait.kind == "condition":
            return "condition variable " + self.condition_of(wait)
        kind, _, purpose = wait.kind.partition(" ")
        return "%s %s%s" % (kind, self.object_of(wait), purpose and ", " + purpose)

    def describe_wait(self, wait):
        if isinstance(wait, BlockedWait):
            return self.describe_blocked(wait)
        state = self.state(wait)
        if state == "ompt_state_wait_critical":
            return "critical (unnamed)" if wait.is_unnamed else "critical " + self.object_of(wait)
        if state == "ompt_state_wait_atomic":
            return "an atomic operation"
        if state == "ompt_state_wait_mutex":
            return "a reduction"
        if state in LOCKS:
            return "lock " + self.object_of(wait)
        if self.is_drain(wait):
            return "its tasks, at a barrier"
        if state == "ompt_state_wait_ordered":
            if wait.is_sink:
                return "iteration %d, on which its own depends (doacross)" % wait.iteration
            return "its turn in an ordered loop (iteration %d comes first)" % wait.iteration
        return {"ompt_state_wait_barrier": "the others at a barrier",
                "ompt_state_wait_barrier_implicit_parallel": "the others at the region's end",
                "ompt_state_wait_taskwait": "its child tasks (taskwait)",
                "ompt_state_wait_taskgroup": "its taskgroup"}.get(state, state)

    def describe_thread(self, lwp):
        """What a thread does, in a few words."""
        waits = self.waits_now(lwp)
        if lwp in self.acting:
            call = self.call_of(lwp)
            return "executes a signal handler%s%s" % (
                " and " + call.words(self.outsider) if call is not None else "", self.place_of(lwp))
        if waits and not waits[0].is_over:
            return "waits for %s%s" % (self.describe_wait(waits[0]), self.place_of(lwp))
        if self.is_idle(lwp):
            return "is idle, between two regions"
        call = self.call_of(lwp)
        what = "continues" if waits else call.words(self.outsider) if call is not None else "works"
        return what + self.place_of(lwp)

    def remember(self):
        """What each thread does, by its number, for `omp changes`."""
        threads = sorted(self.native.items(), key=lambda item: item[1].num)
        now = remembered[gdb.selected_inferior().pid] = {lwp: self.describe_thread(lwp) for lwp, _ in threads}
        return now

    def call_of(self, lwp):
        """The library call that a thread is in while it executes the program; None: no known call."""
        if lwp not in self.calls:
            executes = lwp in self.acting or not (self.waits_now(lwp) or self.is_idle(lwp))
            can_tell = lwp in self.native and len(self.calls) < MOST_PLACES and executes
            self.calls[lwp] = omp_outside.call_of(self.native[lwp]) if can_tell else None
        return self.calls[lwp]

    def shown_blocked(self):
        """Waits outside of OpenMP that concern others: stuck, for a known thread, or of a thread that one waits for."""
        awaited = {need.thread for need in self.needs} | {wait.by for wait in self.blocked.values()}
        return [wait for wait in self.blocked.values()
                if wait.is_stuck or wait.by != extensions.ANY_THREAD or wait.thread in awaited]

    def outside(self):
        """Sentences about the calls outside of OpenMP that the threads which must act are in. If it is
        unknown which threads these are, or if nothing waits, about all threads that execute the program."""
        awaited = [need.thread for need in self.needs if need.thread]
        if any(not need.thread for need in self.needs) or not self.waits:
            awaited += [lwp for lwp, thread in self.known.items()
                        if self.waits or thread is not None or lwp in self.native and not is_of_system(self.native[lwp])]
        sentences, awaited = {}, list(dict.fromkeys(awaited))
        for lwp in awaited:  # grows by those that the threads are blocked by
            call = self.call_of(lwp)
            if call is not None:
                sentences[lwp] = "%s %s" % (self.thread(lwp), call.words(self.outsider))
                if call.lwp in self.native and call.lwp not in awaited:
                    awaited.append(call.lwp)
        return sentences.values()

    def is_idle(self, lwp):
        thread = self.known.get(lwp)
        return thread is not None and self.session.region(thread) is None

    def reasons(self, wait):
        """Sentences about the threads and tasks that must act."""
        if isinstance(wait, BlockedWait):
            return [self.blocked_reason(wait)]
        needs, sentences = self.needs_of(wait), []
        for kind in (extensions.NEED_THREAD, extensions.NEED_LEFT, *GONE):
            named = [self.reason(wait, need) for need in needs if need.kind == kind]
            if named:
                sentences.append(listed(named))
        coming = [self.thread(need.thread) for need in needs
                  if need.kind == extensions.NEED_TASK and need.thread]
        if coming:
            sentences.append("%s: %s" % (self.expected_action(wait), listed(coming)))
        for state in ("ready", "blocked", "detached"):
            tasks = [need for need in needs if need.kind == extensions.NEED_TASK
                     and need.state == extensions.TASK_STATES[state]]
            if tasks:
                sentences.append("%d%s %s: %s" % (
                    len(tasks), "" if len(needs) < MOST_REPORTED else " or more",
                    {"ready": "queued task(s)", "blocked": "task(s) with dependences",
                     "detached": "task(s) whose event is not fulfilled"}[state],
                    listed(code_name(need.function) for need in tasks)))
        if any(need.kind == extensions.NEED_REGION for need in needs):
            sentences.append("no thread has taken that iteration yet")
        sentences += [self.reason(wait, need) for need in needs if need.kind in THREADLESS]
        if any(need.kind == extensions.NEED_UNKNOWN for need in needs):
            sentences.append(self.unknown(wait, needs))
        return sentences

    def blocked_reason(self, wait):
        if wait.by == extensions.ANY_THREAD:
            return UNKNOWN[wait.kind]
        if wait.kind == "MPI":
            return "no other rank can act"
        if wait.kind == "join":
            return "it has not ended"
        return "held by " + self.thread(wait.owner)

    def reason(self, wait, need):
        """Why one thread is needed, or can no longer do what is needed."""
        if need.kind == extensions.NEED_PASSED:
            return "no thread has that iteration any more: it was left without its depend(source)" if wait.is_stuck \
                else "a thread has taken that iteration, and none is seen to have it now"
        if need.kind == extensions.NEED_NO_LOCK:
            return "its memory is no initialised lock"
        who = self.thread(need.thread)
        if need.kind == extensions.NEED_ENDED and self.state(wait) == "ompt_state_wait_lock":
            return "held by %s, unless the lock was never initialised" % who
        if need.kind == extensions.NEED_THREAD or self.state(wait) in LOCKS:
            place = self.taken_at(need.thread, wait.object)
            return "held by " + who + (", taken " + place if place else "")
        if need.kind == extensions.NEED_LEFT and wait.is_sink:
            return who + " has left that iteration without its depend(source)"
        if need.kind == extensions.NEED_LEFT:
            return who + " has gone past it and will not arrive"
        gone = ("jumped out of the %s (longjmp)", who) if need.kind == extensions.NEED_JUMPED else \
            ("ended in the %s", who.split(",")[0])
        if self.expected_action(wait) == "being executed":
            return "%s has %s" % (gone[1], gone[0] % ("task " + code_name(need.function)))
        return "%s has %s and will not %s" % (
            gone[1], gone[0] % "region", "take that iteration" if self.state(wait) == ORDERED else "arrive")

    def unknown(self, wait, needs):
        if self.state(wait) in LOCKS:
            return "held by a thread that the runtime does not know" + (
                ": it has ended, or waits itself" if wait.is_stuck else "")
        return "not there yet, as they have not begun the region: " + listed(
            self.thread(need.thread) for need in needs if need.kind == extensions.NEED_UNKNOWN)

    def taken_at(self, lwp, mutex):
        """Where the thread took a mutex that it holds, "in f at a.c:3"; None: unknown."""
        return omp_taken.place_words((self.notes or {}).get((lwp, mutex)))

    def is_for_lock(self, wait):
        return self.state(wait) in LOCKS

    def state(self, wait):
        return self.session.states.get(wait.state, "")

    def is_drain(self, wait):
        """A member first waits for the tasks that it generated, and only then for the other members."""
        return wait.object == wait.region and \
            self.state(wait) == "ompt_state_wait_barrier"

    def expected_action(self, wait):
        state = self.state(wait)
        if "taskwait" in state or "taskgroup" in state or self.is_drain(wait):
            return "being executed"
        return "expected from" if state == "ompt_state_wait_ordered" else "not there yet"

    def next_stuck(self, wait):
        """(wait that keeps this one from ending, or None when something else does; the reason)"""
        if isinstance(wait, BlockedWait):
            return self.next_of_blocked(wait)
        others, blocked = self.on_thread[wait.thread], self.blocked.get(wait.thread)
        if blocked is not None and blocked.is_stuck and not wait.interrupted:
            return blocked, "below a %s that its thread executes meanwhile" % (
                "signal handler" if wait.above == 0 else "task")
        if self.is_below(wait) and others[0].is_stuck:
            return others[others.index(wait) - 1] if wait.interrupted else others[0], self.below(wait)
        for need in self.needs_of(wait):
            if need.kind in (extensions.NEED_LEFT, *THREADLESS, *GONE):
                return None, self.reason(wait, need)
            if need.kind == extensions.NEED_TASK and need.thread:
                other = self.by_task.get(need.id) or self.top(need.thread)
                if other is not None and other.is_stuck:
                    return other, "%s: %s" % (self.expected_action(wait), self.thread(need.thread))
            if need.kind == extensions.NEED_THREAD:
                other = self.top(need.thread)
                if other is not None and other.is_stuck:
                    return other, self.reason(wait, need)
                if self.is_idle(need.thread):
                    return None, self.reason(wait, need) + ", which is idle"
            if need.kind == extensions.NEED_REGION:
                for other in self.waits:
                    if other.region == need.id and other.is_stuck and other.task != wait.task:
                        return other, "no thread of the region can take the iteration"
            if need.kind == extensions.NEED_UNKNOWN:
                return None, self.unknown(wait, [need])
            if need.state == extensions.TASK_STATES["detached"]:
                return None, "no thread is left that could fulfill its event"
        return None, "no thread is left that could act"

    def next_of_blocked(self, wait):
        reason = self.blocked_reason(wait)
        if wait.by == extensions.ANY_THREAD:
            return None, "no thread is left that could act"
        if wait.kind == "MPI" or wait.by == wait.thread and wait.owner != wait.thread:
            return None, reason  # which has ended
        if self.is_idle(wait.by):
            return None, reason + ", which is idle"
        return self.top(wait.by), reason

    @staticmethod
    def is_below(wait):
        """Returns whether its thread meanwhile does something else, which must end first."""
        return wait.above > 0 or wait.interrupted > 0

    @staticmethod
    def below(wait):
        return "below a %s that its thread executes meanwhile" % ("signal handler" if wait.interrupted else "task")

    def top(self, lwp):
        waits = self.on_thread.get(lwp)
        return self.blocked.get(lwp) or (waits[0] if waits else None)

    def all_waits(self):
        return list(self.waits) + list(self.blocked.values())

    @staticmethod
    def identity(wait):
        return wait.task or wait.thread, wait.task, wait.interrupted

    def circles(self):
        """Lists of (wait, reason), each a cycle or a chain that leads to no other wait; no wait is in two
        of them."""
        seen, found = set(), []
        for wait in sorted(self.all_waits(), key=self.order):
            path = []
            while wait is not None and wait.is_stuck and self.identity(wait) not in seen:
                seen.add(self.identity(wait))
                following, reason = self.next_stuck(wait)
                path.append((wait, reason))
                wait = following
            if not path:
                continue
            ends_here = [i for i, step in enumerate(path)
                         if wait is not None and self.identity(step[0]) == self.identity(wait)]
            if ends_here:
                found.append((path[ends_here[0]:], True))
            elif wait is None:
                found.append((path[-1:], False))
        return found

    def endless_waits(self):
        """(waits, reason) for waits for something that cannot happen; waits with the same reason are
        together."""
        ends = {}
        for path, is_circle in self.circles():
            if not is_circle:
                wait, reason = path[0]
                ends.setdefault((self.key(wait), self.describe_wait(wait), reason), []).append(wait)
        return [(waits, reason) for (_, _, reason), waits in ends.items()]

    def key(self, wait):
        """The same for waits with the same needs; each wait for a lock has needs of its own."""
        if isinstance(wait, BlockedWait):
            return (wait.object, wait.by)
        return tuple((need.kind, need.id) for need in self.needs_of(wait)) if wait.need_count == 1 \
            else (wait.first_need, wait.need_count)

    def untaken(self):
        """Queued tasks in regions with waiting threads none of which may begin them: in a taskwait or
        taskgroup a thread only begins descendants of the waiting task."""
        tops = {}
        for wait in self.waits:
            if wait.above == 0 and wait.executes_tasks and not wait.is_over:
                tops.setdefault(wait.region, []).append(wait)
        states = [name for name in extensions.TASK_STATES if tops]
        tasks = extensions.tasks(self.session, states, True, MOST_TASKS)[0] if tops else []
        parents = {task.task: task.generating for task in tasks}

        def may_begin(wait, task):
            if "taskwait" not in self.state(wait) and "taskgroup" not in self.state(wait):
                return True
            while task in parents and task != wait.task:
                task = parents[task]
            return task == wait.task

        return [task for task in tasks if task.state == extensions.TASK_STATES["ready"] and task.region in tops
                and not any(may_begin(wait, task.task) for wait in tops[task.region])]

    def order(self, wait):
        thread = self.native.get(wait.thread)
        return (thread.num if thread else 1 << 30, wait.above, wait.interrupted)


def waiting(graph, lwps):
    return "%s %s" % (listed(graph.thread(lwp) for lwp in lwps), "waits" if len(lwps) == 1 else "wait")


def threads_of(waits):
    return [wait.thread for wait in waits]


class Why(Command):
    """Show what each thread waits for, which threads have to act for that, and deadlocks: omp why

    Waits in mutexes, rwlocks, joins, condition variables, barriers of pthreads and Python's lock count, too.
    A deadlock is only reported when no thread that could end it can act: threads that execute the
    program may still do so. Threads that wait for the same are shown together."""
    name = "why"

    def show(self, session):
        with KeepSelection():
            graph = WaitGraph(session)
            self.show_graph(graph)
            graph.remember()

    @staticmethod
    def show_graph(graph):
        print_rank()
        print_running()
        Why.show_waits(graph)
        if not graph.is_running:
            Why.show_deadlocks(graph)
        elif graph.waits:
            print("no verdict on deadlocks while threads run")

    @staticmethod
    def show_waits(graph):
        groups = {}
        for wait in sorted(list(graph.waits) + graph.shown_blocked(), key=graph.order):
            key = (graph.describe_wait(wait), graph.below(wait) if graph.is_below(wait) else "", wait.is_over,
                   wait.is_stuck, wait.thread in graph.acting and wait.task != 0, graph.key(wait))
            groups.setdefault(key, []).append(wait)
        if not groups:
            print("No thread waits for another.")
        for (what, below, is_over, _, is_acting, _), waits in groups.items():
            print("%s for %s%s" % (waiting(graph, threads_of(waits)), what, ", " + below if below else "" if is_acting
                                   else graph.place_of(waits[0].thread)))
            if is_acting:
                print("    %s a signal handler meanwhile%s" % (
                    "it executes" if not waits[1:] else "each executes", graph.place_of(waits[0].thread)))
            if is_over:
                print("    this has happened: it %s" % ("continues when that has ended" if below or is_acting
                                                        else "is about to continue"))
                continue
            for sentence in graph.reasons(waits[0]):
                print("    " + sentence)
            for lwp in Why.actors(graph, waits[0]):
                print("        %s %s" % (graph.thread(lwp), graph.describe_thread(lwp)))

    @staticmethod
    def actors(graph, wait):
        """The first few threads that must act; those that execute the program come first."""
        if isinstance(wait, BlockedWait):
            return [wait.by] if wait.by in graph.native and wait.by != wait.thread else []
        lwps = list(dict.fromkeys(need.thread for need in graph.needs_of(wait)
                                  if need.thread and need.thread in graph.native))
        lwps.sort(key=lambda lwp: graph.top(lwp) is not None)
        return lwps[:MOST_NAMED]

    @staticmethod
    def show_untaken(graph):
        tasks = graph.untaken()
        if tasks:
            print("%d task(s) are queued that no waiting thread may begin, as each waits in a task and may begin only "
                  "that one's descendants: %s" % (len(tasks), listed(code_name(task.function) for task in tasks)))

    @staticmethod
    def show_deadlocks(graph):
        stuck = [wait for wait in graph.all_waits() if wait.is_stuck]
        if not stuck:
            outside = graph.outside()
            if outside:
                print("no deadlock within OpenMP; " + listed(outside))
            else:
                print("no deadlock: %d thread(s) wait, each for something that can still happen"
                      % len(graph.on_thread) if graph.waits else "no deadlock")
            Why.show_untaken(graph)
            return
        for circle in (path for path, is_circle in graph.circles() if is_circle):
            print("deadlock: %s" % (
                "each of these waits for the next, the last for the first:" if len(circle) > 1
                else "it waits for itself:"))
            for wait, reason in circle:
                print("    %s waits for %s%s; %s" % (
                    graph.thread(wait.thread), graph.describe_wait(wait),
                    graph.place_of(wait.thread) if not graph.is_below(wait) else "", reason))
        for waits, reason in graph.endless_waits():
            print("deadlock: a wait for something that cannot happen:\n    %s for %s%s; %s" % (
                waiting(graph, threads_of(waits)), graph.describe_wait(waits[0]),
                graph.place_of(waits[0].thread) if not graph.is_below(waits[0]) else "", reason))
        others = {wait.thread for wait in stuck}
        if others:
            print("%d thread(s) cannot continue: %s" % (
                len(others), listed(graph.thread(lwp) for lwp in sorted(
                    others, key=lambda lwp: graph.native[lwp].num
                    if lwp in graph.native else 0))))
