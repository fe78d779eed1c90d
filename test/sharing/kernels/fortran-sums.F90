! SPDX-License-Identifier: BSD-3-Clause
! Fortran: partial sums of threads are neighbours in an allocated array.
program fortran_sums
  use omp_lib
  implicit none
#ifdef FIXED
  integer, parameter :: apart = 8
#else
  integer, parameter :: apart = 1
#endif
  integer, parameter :: steps = 1000000
  real(8), allocatable :: sums(:, :)
  integer :: thread, i

  allocate (sums(apart, 0:7))
  sums = 0
  !$omp parallel private(thread, i) num_threads(2)
  thread = omp_get_thread_num()
  do i = 1, steps
    if (mod(i, 3) /= thread) sums(1, thread) = sums(1, thread) + 0.5d0 * i ! sharing: false sums
  end do
  !$omp end parallel
  print '(es12.5)', sum(sums)
  deallocate (sums)
end program fortran_sums
