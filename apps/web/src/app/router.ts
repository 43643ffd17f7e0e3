import type { QueryClient } from '@tanstack/react-query';
import { createRouter, type RegisteredRouter, type RouterHistory } from '@tanstack/react-router';
import { RouteError } from '../components/FullPageMessage.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { meQuery } from '../features/accounts/current-user.ts';
import { handleBack } from '../lib/close-on-back.ts';
import { isSavingData } from '../lib/network-status.ts';
import { nextPaint } from '../lib/yield-to-main.ts';
import { authRoutes, emailLinkRoutes, publicRoutes } from './routes/public.ts';
import {
  authRoute,
  rootRoute,
  tutorRoute,
  uiProviderRoute,
} from './routes/root-and-layout-routes.ts';
import { settingsRoutes } from './routes/settings.ts';
import { lessonRoutes, mainRoutes, moneyRoutes } from './routes/tutor.tsx';

/**
 * When a link is hovered, touched or focused, the router fetches the page's chunk. For a signed-in tutor, this also
 * fetches the page's first data.
 */
function prefetchOnIntent(router: RegisteredRouter, queryClient: QueryClient) {
  const fetchChunk = router.preloadRoute;

  async function fetchData(options: object) {
    const tutor = queryClient.getQueryData(meQuery.queryKey);
    const match = router.matchRoutes(router.buildLocation(options as never)).at(-1);
    if (!tutor || !match) return;
    const { fullPath: path, params, search } = match;
    const { prefetchPageData } = await import('./prefetch-page-data.ts');
    await prefetchPageData({ path, params, search, today: tutor.today }, queryClient);
  }

  router.preloadRoute = (options) => {
    // A failed prefetch is repeated when the page opens.
    fetchData(options).catch(() => {});
    return fetchChunk(options);
  };
}

const routeTree = rootRoute.addChildren([
  ...publicRoutes,
  uiProviderRoute.addChildren([
    ...emailLinkRoutes,
    authRoute.addChildren([...authRoutes]),
    tutorRoute.addChildren([...mainRoutes, ...lessonRoutes, ...moneyRoutes, ...settingsRoutes]),
  ]),
]);

export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  // Tests and the prerendered pages have no browser history.
  if (!history) handleBack(() => router.history.location);
  const router = createRouter({
    routeTree,
    context: { queryClient },
    ...(history && { history }),
    // An unknown path shows the not-found page without the shell, whether or not the user is signed in.
    notFoundMode: 'root',
    defaultPreload: isSavingData() ? false : 'intent',
    // Moving the pointer across a list of links should not prefetch every one of them.
    defaultPreloadDelay: 60,
    defaultPendingComponent: Spinner,
    defaultPendingMs: 300,
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
  });
  prefetchOnIntent(router, queryClient);
  paintBeforeNavigate(router);
  return router;
}

/** Paints the link's pressed state before the next page renders. */
function paintBeforeNavigate(router: Pick<AppRouter, 'navigate'>) {
  const { navigate } = router;
  router.navigate = async (options) => {
    await nextPaint();
    return navigate(options);
  };
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
