c SPDX-License-Identifier: BSD-3-Clause
c layout: directives of fixed form.
      program layouts
      implicit none
      integer values(100), totals(4), i, total, largest, temporary
      integer chunk
      do 10 i = 1, 100
         values(i) = mod(i, 7)
   10 continue
      totals(1) = 0
      total = 0
      largest = -1
      chunk = 3
c$omp parallel do
      do 20 i = 1, 100
         total = total + values(i)
   20 continue
C$OMP PARALLEL DO SCHEDULE(DYNAMIC, CHUNK) NUM_THREADS(4)
C$OMP& DEFAULT(SHARED)
      do 30 i = 1, 100
         largest = max(largest, values(i))
   30 continue
      call twice(values, chunk)
*$omp parallel do
      do i = 1, 100
         totals(1) = totals(1) + values(i)
      end do
      print *, total, largest, totals(1)
      if (total .ne. 297 .or. largest .ne. 6 .or. totals(1) .ne. 594)
     &   stop 1
      end

      subroutine twice(values, chunk)
      implicit none
      integer values(100), chunk, i, temporary
!$omp parallel do schedule(dynamic, chunk) num_threads(4) if(chunk > 1)
      do i = 1, 100
         temporary = values(i) * 2
         values(i) = temporary
      end do
      end
