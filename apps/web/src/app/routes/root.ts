import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute } from '@tanstack/react-router';
import { meQuery } from '../../features/accounts/me.ts';
import { signInOptionsQuery } from '../../features/accounts/sign-in-options.ts';
import { MantineFrame, Shell, screen } from '../chunks.tsx';
import { Frame, SignedInGate, SignedOutGate } from '../gates.tsx';

export interface RouterContext {
  queryClient: QueryClient;
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  notFoundComponent: screen('NotFound'),
});

/** Whether the landing page is what '/' will show. Until we know better, a tutor is expected. */
export const isVisitor = ({ queryClient }: RouterContext) =>
  queryClient.getQueryData(meQuery.queryKey) === null;

export const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  loader: ({ context, location }) => {
    if (location.pathname !== '/' || !isVisitor(context)) void MantineFrame.preload();
  },
  component: Frame,
});

/** The tutor's screens: with the shell, and only when signed in. */
export const tutorRoute = createRoute({
  getParentRoute: () => frameRoute,
  id: 'tutor',
  loader: ({ context }) => {
    if (!isVisitor(context)) void Shell.preload();
  },
  component: SignedInGate,
});

/** Login and signup, for those who are not signed in. */
export const entryRoute = createRoute({
  getParentRoute: () => frameRoute,
  id: 'entry',
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(signInOptionsQuery);
  },
  component: SignedOutGate,
});
