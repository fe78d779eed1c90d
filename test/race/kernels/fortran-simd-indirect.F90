! SPDX-License-Identifier: BSD-3-Clause
! simd: a histogram, whose places come from an array and repeat.
! Two lanes may add to one place at once (OpenMP 5.2, 10.4). The fixed loop's places differ.
program histogram
  implicit none
  integer :: places(64), counts(64), i

#ifdef FIXED
  places = [(65 - i, i = 1, 64)]
#else
  places = [((i + 1) / 2, i = 1, 64)]
#endif
  counts = 0
  !$omp simd
  do i = 1, 64
     counts(places(i)) = counts(places(i)) + 1 ! race: write counts; race: read counts
  end do
  if (sum(counts) /= 64) stop 1
end program
