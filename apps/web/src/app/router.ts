import type { QueryClient } from '@tanstack/react-query';
import { createRouter, type RegisteredRouter, type RouterHistory } from '@tanstack/react-router';
import { RouteError } from '../components/FullPageMessage.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { meQuery } from '../features/accounts/current-user.ts';
import { isSavingData } from '../lib/network-status.ts';
import { nextPaint } from '../lib/yield-to-main.ts';
import { authRoutes, emailLinkRoutes, publicRoutes } from './routes/public.ts';
import { authRoute, rootRoute, tutorRoute, uiProviderRoute } from './routes/root.ts';
import { settingsRoutes } from './routes/settings.ts';
import { lessonRoutes, mainRoutes, moneyRoutes } from './routes/tutor.tsx';

/**
 * Somebody points at a link, touches it or comes to it by the keyboard: the router then fetches the screen's chunk, and
 * this what the screen will ask for first. Only for a tutor who is known to be signed in.
 */
function prefetchOnIntent(router: RegisteredRouter, queryClient: QueryClient) {
  const fetchChunk = router.preloadRoute;

  async function fetchData(options: object) {
    const tutor = queryClient.getQueryData(meQuery.queryKey);
    const match = router.matchRoutes(router.buildLocation(options as never)).at(-1);
    if (!tutor || !match) return;
    const { fullPath: path, params, search } = match;
    const { prefetchPageData } = await import('./prefetch.ts');
    await prefetchPageData({ path, params, search, today: tutor.today }, queryClient);
  }

  router.preloadRoute = (options) => {
    // Merely ahead of time: what does not come now is asked for when the screen opens.
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
  const router = createRouter({
    routeTree,
    context: { queryClient },
    ...(history && { history }),
    // An unknown path is unknown as a whole, signed in or not: no frame around it.
    notFoundMode: 'root',
    defaultPreload: isSavingData() ? false : 'intent',
    // Passing over a list of links with the mouse is no wish to follow each of them.
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

/** The pressed link is seen to be pressed before the next screen is drawn. */
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
