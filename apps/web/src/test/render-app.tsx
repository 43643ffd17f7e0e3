import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App } from '../app/App.tsx';
import { createAppRouter } from '../app/router.ts';
import { createQueryClient } from '../lib/query.ts';

/** The whole app at an address, as a browser would show it; only the network is not real. */
export function renderApp(address: string) {
  const queryClient = createQueryClient();
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createAppRouter(queryClient, history);
  render(<App queryClient={queryClient} router={router} />);
  return {
    queryClient,
    user: userEvent.setup({ delay: null }),
    address: () => router.state.location.pathname,
    search: () => router.state.location.search,
  };
}
