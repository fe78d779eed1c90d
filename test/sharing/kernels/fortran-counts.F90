! SPDX-License-Identifier: BSD-3-Clause
!
! fortran: each thread counts in its own element of an array.
!
program counts
  use omp_lib
  implicit none
  integer, parameter :: length = 65536, rounds = 1200
#ifdef FIXED
  integer, parameter :: stride = 16
#else
  integer, parameter :: stride = 1
#endif
  integer, save :: values(length)
  integer(8), save :: positive(0:64 * stride)
  integer :: i, round, me

  positive = 0
  do i = 1, length
     values(i) = mod(i, 2)
  end do
!$omp parallel private(round, me)
  me = omp_get_thread_num() * stride
  do round = 1, rounds
!$omp do
     do i = 1, length
        if (values(i) > 0) then
           positive(me) = positive(me) + 1 ! sharing: false positive
        end if
     end do
!$omp end do nowait
  end do
!$omp end parallel
  if (sum(positive) /= int(length, 8) / 2 * rounds) error stop 'wrong sum'
end program
