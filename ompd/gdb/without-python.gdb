# SPDX-License-Identifier: BSD-3-Clause
# Every gdb runs this when a program loads the runtime; one with Python runs autoload.py as well, and has this function.
if $_isvoid($_streq)
  echo The omp commands of the OpenMP runtime need a gdb with Python, which this one was built without.\n
end
