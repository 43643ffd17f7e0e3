import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type RegisteredRouter, RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Toaster } from '../components/Toaster.tsx';
import { AuthProvider } from '../features/accounts/AuthProvider.tsx';
import { toasts } from '../lib/toast.ts';
import { UiProvider } from './UiProvider.tsx';

interface Props {
  queryClient: QueryClient;
  router: RegisteredRouter;
}

/** The toaster is outside the pages, so that toasts survive navigation, except error toasts, which are dismissed. */
export function App({ queryClient, router }: Props) {
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
        <RouterProvider router={router} InnerWrap={UiProvider} />
      </AuthProvider>
      <Toaster />
    </QueryClientProvider>
  );
}
