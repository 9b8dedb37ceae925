"""Starts one program, and prints what it took as JSON.

A process begins with the memory mark of the one that started it (Linux keeps `ru_maxrss` across `exec`), so programs
are started by this one, which imports next to nothing. Less than its own 10 MB cannot be measured.
"""

import os
import sys
import time

log, folder, *command = sys.argv[1:]
output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
nothing = os.open(os.devnull, os.O_RDONLY)
os.chdir(folder)
actions = [(os.POSIX_SPAWN_DUP2, nothing, 0), (os.POSIX_SPAWN_DUP2, output, 1), (os.POSIX_SPAWN_DUP2, output, 2)]
start = time.perf_counter()
process = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
# `wait4` tells of this process and the children it has waited for: the largest of them counts as its memory.
_, status, usage = os.wait4(process, 0)
seconds = time.perf_counter() - start
cpu = usage.ru_utime + usage.ru_stime
print(f'{{"status": {os.waitstatus_to_exitcode(status)}, "seconds": {seconds}, "cpu": {cpu}, "memory": {usage.ru_maxrss * 1024 / 1e6}}}')
