! SPDX-License-Identifier: BSD-3-Clause
! library: what libgfortran allows to several threads at once: writing to one unit, allocation,
! random numbers, internal files that are private, and functions of private arrays.
program library
  implicit none
  integer :: i, value, total
  character(len=12) :: text
  real, allocatable :: numbers(:)
  real :: smallest

  total = 0
  smallest = 1.0
  open (unit=20, status='scratch')
  !$omp parallel do private(text, value, numbers) reduction(+: total) reduction(min: smallest)
  do i = 1, 60
     allocate (numbers(50))
     call random_number(numbers)
     smallest = min(smallest, minval(numbers))
     write (text, '(i6)') i
     read (text, *) value
     if (modulo(i, 20) == 0) write (20, '(a, i4)') 'value', value
     total = total + value + size(pack(numbers, numbers < 0.0))
     deallocate (numbers)
  end do
  close (20)
  if (total /= 1830 .or. smallest < 0.0 .or. smallest > 0.5) stop 1
end program
