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
import { AuthProvider, useAuth } from '../features/accounts/AuthProvider.tsx';
import { handleBack } from '../lib/close-on-back.ts';
import { createQueryClient } from '../lib/query-client.ts';

/** Renders one component for a signed-in tutor, without the page around it. `GET /api/me` needs a handler. */
export async function renderComponentSignedIn(component: ReactNode) {
  const queryClient = createQueryClient();
  const routeTree = createRootRoute({
    component: () => (
      <UiProvider>
        <SignedInOnly>{component}</SignedInOnly>
      </UiProvider>
    ),
  });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  handleBack(() => router.history.location);
  render(
    <QueryClientProvider client={queryClient}>
      <AuthProvider>
        <RouterProvider router={router} />
      </AuthProvider>
      <Toaster />
    </QueryClientProvider>,
  );
  await screen.findByTestId('component');
  return { queryClient, router, user: userEvent.setup({ delay: null }) };
}

function SignedInOnly({ children }: { children: ReactNode }) {
  const { user } = useAuth();
  return user && <div data-testid="component">{children}</div>;
}
