import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { forgetFilters, rememberSearch } from './remembered-search.ts';

function renderList(path: string) {
  const rootRoute = createRootRoute();
  const listRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/list',
    validateSearch: ({ q, sort, date }: Record<string, unknown>) => ({
      ...(typeof q === 'string' && { q }),
      ...(sort === 'name' && { sort }),
      ...(typeof date === 'string' && { date }),
    }),
    beforeLoad: rememberSearch({ views: ['sort'], filters: ['q'] }),
  });
  const otherRoute = createRoute({ getParentRoute: () => rootRoute, path: '/other' });
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({
    routeTree: rootRoute.addChildren([listRoute, otherRoute]),
    history,
  });
  render(<RouterProvider router={router as never} />);
  const go = (to: string) => router.navigate({ href: to });
  const expectUrl = (url: string) =>
    waitFor(() => expect(router.state.resolvedLocation?.href).toBe(url));
  return { go, expectUrl };
}

test('F135 a page opened without search parameters restores the last filters and view', async () => {
  const { go, expectUrl } = renderList('/list?q=Okafor&sort=name&date=2026-11-17');
  await expectUrl('/list?q=Okafor&sort=name&date=2026-11-17');
  await go('/other');
  await go('/list');
  await expectUrl('/list?sort=name&q=Okafor');
});

test('F135 a link with search parameters does not restore any others', async () => {
  const { go, expectUrl } = renderList('/list?q=Okafor');
  await expectUrl('/list?q=Okafor');
  await go('/other');
  await go('/list?date=2026-11-17');
  await expectUrl('/list?date=2026-11-17');
});

test('F135 removed filters stay removed', async () => {
  const { go, expectUrl } = renderList('/list?q=Okafor&sort=name');
  await expectUrl('/list?q=Okafor&sort=name');
  await go('/list');
  await expectUrl('/list');
  await go('/other');
  await go('/list');
  await expectUrl('/list');
});

test('logging out forgets the filters and keeps the view', async () => {
  const { go, expectUrl } = renderList('/list?q=Okafor&sort=name');
  await expectUrl('/list?q=Okafor&sort=name');
  await go('/other');
  forgetFilters();
  await go('/list');
  await expectUrl('/list?sort=name');
});
