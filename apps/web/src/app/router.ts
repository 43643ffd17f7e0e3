import type { QueryClient } from '@tanstack/react-query';
import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { RouteError } from '../components/RouteError.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { painted } from '../lib/painted.ts';
import { isSavingData } from '../lib/saving-data.ts';
import { lookAhead } from './look-ahead.ts';
import { entryRoutes, familyRoutes, linkRoutes } from './routes/public.ts';
import { entryRoute, frameRoute, rootRoute, tutorRoute } from './routes/root.ts';
import { settingsRoutes } from './routes/settings.ts';
import { lessonRoutes, mainRoutes, moneyRoutes } from './routes/tutor.tsx';

const routeTree = rootRoute.addChildren([
  ...familyRoutes,
  frameRoute.addChildren([
    ...linkRoutes,
    entryRoute.addChildren([...entryRoutes]),
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
  lookAhead(router, queryClient);
  answerPressesFirst(router);
  return router;
}

/** The pressed link is seen to be pressed before the next screen is drawn. */
function answerPressesFirst(router: Pick<AppRouter, 'navigate'>) {
  const { navigate } = router;
  router.navigate = async (options) => {
    await painted();
    return navigate(options);
  };
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}
