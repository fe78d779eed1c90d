void f(int n)
{
#pragma omp parallel for if(n)
	for (int i = 0; i < n; i++) ;
#pragma pomp inst begin(r)
	if (n) return;
#pragma pomp inst end(r)
}
