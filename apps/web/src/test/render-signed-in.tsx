import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { UiProvider } from '../app/UiProvider.tsx';
import { Toaster } from '../components/Toaster.tsx';
import { AuthProvider, useAuth } from '../features/accounts/auth.tsx';
import { createQueryClient } from '../lib/query.ts';

/** One part of the app as a signed-in tutor sees it, without the pages around it; `GET /api/me` must be answered. */
export async function renderSignedIn(part: ReactNode) {
  const queryClient = createQueryClient();
  const routeTree = createRootRoute({ component: () => <Part>{part}</Part> });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  render(
    <QueryClientProvider client={queryClient}>
      <AuthProvider>
        <UiProvider>
          <RouterProvider router={router} />
        </UiProvider>
      </AuthProvider>
      <Toaster />
    </QueryClientProvider>,
  );
  await screen.findByTestId('part');
  return { queryClient, user: userEvent.setup({ delay: null }) };
}

function Part({ children }: { children: ReactNode }) {
  const { user } = useAuth();
  return user && <div data-testid="part">{children}</div>;
}
