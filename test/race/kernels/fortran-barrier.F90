! SPDX-License-Identifier: BSD-3-Clause
! synchronization: rows are exchanged between two arrays, with one barrier where two are needed.
! Behind the copy a fast thread writes rows that a slow one still reads (OpenMP 5.2, 15.3.1). The
! fixed one has a barrier behind each half step.
program half_steps
  use omp_lib
  implicit none
  integer :: now(0:63), next(0:63), step, self, other

  now = 0
  next = 0
  !$omp parallel private(step, self, other) num_threads(6)
  self = omp_get_thread_num()
  other = modulo(self + 1, omp_get_num_threads())
  do step = 1, 10
     next(self) = now(other) + 1 ! race: read now
#ifdef FIXED
     !$omp barrier
#endif
     now(self) = next(self) ! race: write now
     !$omp barrier
  end do
  !$omp end parallel
  if (now(0) /= 10) stop 1
end program
