C SPDX-License-Identifier: BSD-3-Clause
C Fixed form, its three sentinels and continued directives.
      SUBROUTINE DSUM(X, N, S)
      INTEGER N, I
      DOUBLE PRECISION X(N), S
C$OMP PARALLEL DO SCHEDULE(DYNAMIC)
C$OMP&   REDUCTION(+:S)
      DO 10 I = 1, N
         S = S + X(I)
   10 CONTINUE
c$omp end parallel do
*$OMP PARALLEL
*$OMP CRITICAL
      S = S + 1
*$OMP END CRITICAL
*$OMP END PARALLEL
      END
      PROGRAM MAIN
      DOUBLE PRECISION X(100), S
      S = 0
      X = 1
      CALL DSUM(X, 100, S)
      PRINT *, S
      END
