! SPDX-License-Identifier: BSD-3-Clause
! library: an array is transposed in place in a parallel region.
! Each thread executes the intrinsic, and all of them assign the same array (OpenMP 5.2, 5.1.1).
! The fixed one does it in a single construct.
program transposing
  implicit none
  integer :: a(24, 24), i, j

  do j = 1, 24
     do i = 1, 24
        a(i, j) = 100 * i + j
     end do
  end do
  !$omp parallel
#ifdef FIXED
  !$omp single
#endif
  a = transpose(a) ! race: write a; race: read a
#ifdef FIXED
  !$omp end single
#endif
  !$omp end parallel
#ifdef FIXED
  if (a(3, 7) /= 703) stop 1
#endif
end program
