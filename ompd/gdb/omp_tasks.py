# SPDX-License-Identifier: BSD-3-Clause
"""`omp tasks`: all tasks of the process, including those that are not executed yet."""
import omp_extensions as extensions
from omp_words import Command, code_name, native_threads, site_name

MOST_ROWS = 100
MOST_DEPENDENCES = 100000


def task_words(task, native):
    """What is known about a task beyond its state."""
    words = []
    if task.thread:
        thread = native.get(task.thread)
        words.append("on thread %d" % thread.num if thread else "on LWP %d, which has ended" % task.thread)
    if task.state == extensions.TASK_STATES["suspended"]:
        words.append("below %d other%s" % (task.above, "" if task.above == 1 else "s"))
    if task.state == extensions.TASK_STATES["blocked"]:
        words.append("waits for %d task%s" % (task.blockers, "" if task.blockers == 1 else "s"))
    if task.count != 1:
        words.append("%d tasks of a taskloop" % task.count)
    for flag, name in ((extensions.UNTIED, "untied"), (extensions.FINAL, "final")):
        if task.flags & flag:
            words.append(name)
    if task.priority:
        words.append("priority %d" % task.priority)
    return ", ".join(words)


class Tasks(Command):
    """Show all explicit tasks: omp tasks [ready|blocked|running|suspended|detached|ended|all]

    Without a word: how many there are of each construct, by what they are doing.
      ready      any thread of the team may begin it
      blocked    tasks that it depends on are not completed; they are shown with it
      running    a thread executes it
      suspended  its thread executes another task above it
      detached   its code has run, its event is not fulfilled
      ended      it is completed, but not all tasks that it generated
    The place is that of the construct. Each task is shown with the function and line that generated
    it: with OMP_DEBUG the exact place, also where that function was inlined in another."""
    name = "tasks"
    words = dict.fromkeys(list(extensions.TASK_STATES) + ["all"])

    def show(self, session, *states):
        if states:
            self.show_rows(session, list(extensions.TASK_STATES) if "all" in states else states)
        else:
            self.show_sums(session)

    @staticmethod
    def show_sums(session):
        groups = extensions.task_groups(session)
        if not groups:
            print("There are no explicit tasks.")
            return
        names = list(extensions.TASK_STATES)
        print(" ".join("%9s" % name for name in names) + "  construct")
        groups.sort(key=lambda group: -sum(group.count))
        for group in groups:
            print(" ".join("%9d" % group.count[extensions.TASK_STATES[name]] for name in names)
                  + "  " + code_name(group.function))

    @staticmethod
    def show_rows(session, states):
        rows, count = extensions.tasks(session, states, False, MOST_ROWS)
        if not count:
            print("No task is %s." % " or ".join(states))
            return
        native, before = native_threads(), {}
        if any(row.state == extensions.TASK_STATES["blocked"] for row in rows):
            for edge in extensions.dependences(session, MOST_DEPENDENCES)[0]:
                before.setdefault(edge.task, []).append(edge.waits_for)
        for row in sorted(rows, key=lambda row: (row.state, row.task)):
            print("task %#x  %-9s %s; generated in %s, by task %#x (%s)%s" % (
                row.task, extensions.STATE_NAMES[row.state], code_name(row.function),
                site_name(row.site, row.function), row.generating, code_name(row.creator),
                "".join("; " + words for words in [task_words(row, native)] if words)))
            for other in before.get(row.task, []):
                print("    waits for task %#x" % other)
        if count > len(rows):
            print("... and %d more; `omp tasks` counts them by construct" % (count - len(rows)))
