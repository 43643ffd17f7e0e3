import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Toaster } from '../components/Toaster.tsx';
import { AuthProvider } from '../features/accounts/AuthProvider.tsx';
import { toasts } from '../lib/toast.ts';
import type { AppRouter } from './router.ts';

/** The toaster is outside the pages, so that toasts survive navigation; only errors do not. */
export function App({ queryClient, router }: { queryClient: QueryClient; router: AppRouter }) {
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
        if (pathChanged) toasts.dismissErrors();
      }),
    [router],
  );
  return (
    <QueryClientProvider client={queryClient}>
      <AuthProvider>
        <RouterProvider router={router} />
      </AuthProvider>
      <Toaster />
    </QueryClientProvider>
  );
}
