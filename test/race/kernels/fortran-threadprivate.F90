! SPDX-License-Identifier: BSD-3-Clause
! data: a module variable holds the current state of a generator for all threads.
! Module variables are shared (OpenMP 5.2, 5.1.2). The fixed one is threadprivate, with copyin of
! the start value (5.7.1).
module generator
  implicit none
  integer :: state = 0
#ifdef FIXED
  !$omp threadprivate(state)
#endif
contains
  integer function next_number()
    state = modulo(state * 75 + 74, 65537) ! race: write state
    next_number = state ! race: read state
  end function
end module

#ifdef FIXED
#define COPY_STATE copyin(state)
#else
#define COPY_STATE shared(state)
#endif
program random_numbers
  use generator
  implicit none
  integer :: i, outside

  state = 11
  outside = 0
  !$omp parallel COPY_STATE reduction(+: outside)
  !$omp do
  do i = 1, 200
     if (next_number() < 0) outside = outside + 1
  end do
  !$omp end parallel
  if (outside /= 0) stop 1
end program
