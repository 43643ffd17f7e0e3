import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App } from '../app/App.tsx';
import { createAppRouter } from '../app/router.ts';
import { createQueryClient } from '../lib/query.ts';

/** Renders the whole app at a path; only the network is mocked. */
export function renderApp(path: string) {
  const queryClient = createQueryClient();
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createAppRouter(queryClient, history);
  render(<App queryClient={queryClient} router={router} />);
  return {
    queryClient,
    user: userEvent.setup({ delay: null }),
    pathname: () => router.state.location.pathname,
    search: () => router.state.location.search,
  };
}
