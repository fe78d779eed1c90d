! SPDX-License-Identifier: BSD-3-Clause
!
! true: all threads add to one variable by atomic updates.
!
program atomic
  implicit none
  integer, parameter :: length = 65536, rounds = 60
  integer, save :: values(length)
  integer(8), save :: total
  integer :: i, round

  total = 0
  do i = 1, length
     values(i) = mod(i, 2)
  end do
  do round = 1, rounds
#ifdef FIXED
!$omp parallel do reduction(+ : total)
     do i = 1, length
        total = total + values(i)
     end do
#else
!$omp parallel do
     do i = 1, length
        if (values(i) > 0) then
!$omp atomic
           total = total + 1 ! sharing: true total
        end if
     end do
#endif
  end do
  if (total /= int(length, 8) / 2 * rounds) error stop 'wrong sum'
end program
