! SPDX-License-Identifier: BSD-3-Clause
! worksharing: the primary thread allocates an array that the team uses.
! masked has no barrier at its end (OpenMP 5.2, 10.5). The fixed one has one behind it.
program allocating
  implicit none
  real, allocatable :: field(:)
  integer :: i
  real :: total

  total = 0
  allocate(field(80))
  !$omp parallel reduction(+: total)
  !$omp masked
  field = 0.5 ! race: write field
  !$omp end masked
#ifdef FIXED
  !$omp barrier
#endif
  !$omp do
  do i = 1, 80
     total = total + field(i) ! race: read field
  end do
  !$omp end parallel
  if (total /= 40.0) stop 1
end program
