! SPDX-License-Identifier: BSD-3-Clause
! task: the results of two tasks are added without waiting for them.
! Tasks may be executed later (OpenMP 5.2, 12.5). The fixed one has a taskwait (15.5).
program two_tasks
  implicit none
  integer :: left, right, total

  left = 0
  right = 0
  total = 0
  !$omp parallel
  !$omp single
  !$omp task shared(left)
  left = 5 ! race: write left
  !$omp end task
  !$omp task shared(right)
  right = 6 ! race: write right
  !$omp end task
#ifdef FIXED
  !$omp taskwait
#endif
  total = left + right ! race: read left; race: read right
  !$omp end single
  !$omp end parallel
  if (total /= 11) stop 1
end program
