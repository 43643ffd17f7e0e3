import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App } from '../app/App.tsx';
import { FamilyApp } from '../app/FamilyApp.tsx';
import { PublicLinkApp } from '../app/PublicLinkApp.tsx';
import { hydrateQueryCacheFromHtml } from '../features/portal/hydrate-query-cache-from-html.ts';
import { portalLoginKey } from '../features/portal/signed-in-contact-api.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { createAppRouter } from '../routes/router.ts';

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

/** Renders a page that families open from a link. */
export function renderLink(url: string) {
  window.history.replaceState(null, '', url);
  const queryClient = createQueryClient();
  render(<PublicLinkApp queryClient={queryClient} path={window.location.pathname} />);
  return {
    queryClient,
    user: userEvent.setup({ delay: null }),
    pathname: () => window.location.pathname,
    search: () => Object.fromEntries(new URLSearchParams(window.location.search)),
  };
}

/** Renders the family portal. */
export function renderPortal(url = '/family') {
  window.history.replaceState(null, '', url);
  const queryClient = createQueryClient(portalLoginKey);
  hydrateQueryCacheFromHtml(queryClient);
  render(<FamilyApp queryClient={queryClient} />);
  return { user: userEvent.setup({ delay: null }), pathname: () => window.location.pathname };
}
