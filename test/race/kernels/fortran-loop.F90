! SPDX-License-Identifier: BSD-3-Clause
! worksharing: a loop construct accumulates into the element of the iteration before.
! loop asserts that iterations may be executed concurrently (OpenMP 5.2, 11.7). The fixed
! iterations use their own elements only.
program concurrent_loop
  implicit none
  integer :: a(200), i

  a = 1
  !$omp parallel
  !$omp loop bind(parallel)
  do i = 2, 200
#ifdef FIXED
     a(i) = a(i) + 1
#else
     a(i - 1) = a(i - 1) + 1 ! race: write a
     a(i) = a(i) + 1 ! race: write a
#endif
  end do
  !$omp end parallel
  if (a(200) /= 2) stop 1
end program
