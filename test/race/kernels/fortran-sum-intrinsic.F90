! SPDX-License-Identifier: BSD-3-Clause
! library: one thread calls the intrinsic sum while others still write the array.
! An intrinsic reads its arguments as any other code does (OpenMP 5.2, 1.4.1). The fixed one
! keeps the barrier of the loop.
#ifdef FIXED
#define END_LOOP end do
#else
#define END_LOOP end do nowait
#endif
program sum_of_all
  implicit none
  integer :: a(400), total, i

  total = 0
  !$omp parallel
  !$omp do
  do i = 1, 400
     a(i) = i ! race: write a
  end do
  !$omp END_LOOP
  !$omp single
  total = sum(a) ! race: read a
  !$omp end single
  !$omp end parallel
  if (total /= 80200) stop 1
end program
