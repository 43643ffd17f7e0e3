import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.ts';

export const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify-email/$token',
  component: lazyRouteComponent(() => import('../pages/VerifyEmail.tsx'), 'VerifyEmailPage'),
  staticData: { title: 'Confirm your e-mail' },
});

export const incompleteVerifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify-email',
  component: lazyRouteComponent(() => import('../pages/IncompleteLink.tsx'), 'IncompleteLinkPage'),
  staticData: { title: 'This link is incomplete' },
});
