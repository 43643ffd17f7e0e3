import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.ts';

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password/$token',
  component: lazyRouteComponent(() => import('../pages/ResetPassword.tsx'), 'ResetPasswordPage'),
  staticData: { title: 'Choose a new password' },
});

export const incompleteResetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('../pages/IncompleteLink.tsx'), 'IncompleteLinkPage'),
  staticData: { title: 'This link is incomplete' },
});
