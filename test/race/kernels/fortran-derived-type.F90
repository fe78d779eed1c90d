! SPDX-License-Identifier: BSD-3-Clause
! data: an object of a derived type with a component that each thread needs for itself.
! The components of a shared object are shared (OpenMP 5.2, 5.1.1). The fixed object is private.
program components
  implicit none
  type :: state
     integer :: step
     integer :: visited
  end type
  type(state) :: now
  integer :: i, total

  total = 0
  now = state(0, 0)
#ifdef FIXED
  !$omp parallel do firstprivate(now) reduction(+: total)
#else
  !$omp parallel do reduction(+: total)
#endif
  do i = 1, 200
     now%step = i ! race: write step
     total = total + now%step ! race: read step
  end do
  if (total /= 20100) stop 1
end program
