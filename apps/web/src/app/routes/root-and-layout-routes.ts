import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute } from '@tanstack/react-router';
import { meQuery, signInOptionsQuery } from '../../features/accounts/current-user.ts';
import { lazyPage, Shell, UiProvider } from '../preloadable-pages.tsx';
import { RequireSignedIn, RequireSignedOut, UiProviderLayout } from '../route-guards.tsx';

export interface RouterContext {
  queryClient: QueryClient;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  notFoundComponent: lazyPage('NotFound'),
});

/** Whether '/' will show the landing page. Until the user has loaded, a signed-in tutor is assumed. */
export const isVisitor = ({ queryClient }: RouterContext) =>
  queryClient.getQueryData(meQuery.queryKey) === null;

export const uiProviderRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'ui',
  loader: ({ context, location }) => {
    if (location.pathname !== '/' || !isVisitor(context)) void UiProvider.preload();
  },
  component: UiProviderLayout,
});

/** The tutor's pages, inside the shell. They require a signed-in user. */
export const tutorRoute = createRoute({
  getParentRoute: () => uiProviderRoute,
  id: 'tutor',
  loader: ({ context }) => {
    if (!isVisitor(context)) void Shell.preload();
  },
  component: RequireSignedIn,
});

/** Login and signup, for users who are not signed in. */
export const authRoute = createRoute({
  getParentRoute: () => uiProviderRoute,
  id: 'auth',
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(signInOptionsQuery);
  },
  component: RequireSignedOut,
});
