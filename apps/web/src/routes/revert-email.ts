import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.ts';

export const revertEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/revert-email/$token',
  component: lazyRouteComponent(() => import('../pages/RevertEmail.tsx'), 'RevertEmailPage'),
  staticData: { title: 'Restore your email address' },
});
