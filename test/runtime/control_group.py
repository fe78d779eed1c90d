# SPDX-License-Identifier: BSD-3-Clause
"""Control groups of version 1 or 2 with a quota of processor time, below the process's own one."""
import os
import tempfile


class Group:
    """A control group with a quota, of the version that has the controller `cpu`."""

    def __init__(self, version_1, top):
        self.version_1 = version_1
        self.folder = tempfile.mkdtemp(prefix='ompinst-', dir=top)

    def set(self, hundredths):
        quota = hundredths * 1000
        name, text = ('cpu.cfs_quota_us', str(quota)) if self.version_1 else ('cpu.max', f'{quota} 100000')
        with open(os.path.join(self.folder, name), 'w') as file:
            file.write(text)

    def enter(self):
        with open(os.path.join(self.folder, 'cgroup.procs'), 'w') as file:
            file.write(str(os.getpid()))

    def remove(self):
        os.rmdir(self.folder)


def own_folder(mounts, kind, controller):
    """Where the process's group is that the controller belongs to; None: it cannot be seen."""
    with open('/proc/self/cgroup') as file:
        groups = [line.rstrip('\n').split(':', 2) for line in file]
    path = next((path for _, names, path in groups if (controller in names.split(',') if kind == 'cgroup' else names == '')), None)
    for _, _, _, top, folder, rest in mounts:
        if path is not None and rest.split(' - ')[1].startswith(kind + ' ') and \
                (kind == 'cgroup2' or controller in rest.split()[-1].split(',')):
            return folder + ('' if top != '/' or path == '/' else path)
    return None


def make_group():
    """A group in the own one, or None with the reason."""
    reason = 'no control group with a quota of processor time is here'
    with open('/proc/self/mountinfo') as file:
        mounts = [line.split(' ', 5) for line in file]
    for kind in ('cgroup', 'cgroup2'):
        folder = own_folder(mounts, kind, 'cpu')
        try:
            group = Group(kind == 'cgroup', folder) if folder else None
            if group is not None:
                try:
                    group.set(100)
                    return group, ''
                except OSError:
                    group.remove()
                    raise
        except OSError as error:
            reason = f'no control group can be made: {error}'
    return None, reason
