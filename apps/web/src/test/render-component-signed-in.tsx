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
import { createQueryClient } from '../lib/query.ts';

/** Renders one component for a signed-in tutor, without the page around it. `GET /api/me` needs a handler. */
export async function renderComponentSignedIn(component: ReactNode) {
  const queryClient = createQueryClient();
  const routeTree = createRootRoute({ component: () => <SignedInOnly>{component}</SignedInOnly> });
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
  await screen.findByTestId('component');
  return { queryClient, user: userEvent.setup({ delay: null }) };
}

function SignedInOnly({ children }: { children: ReactNode }) {
  const { user } = useAuth();
  return user && <div data-testid="component">{children}</div>;
}
