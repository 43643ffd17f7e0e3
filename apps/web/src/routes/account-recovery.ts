import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.ts';

export const accountRecoveryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account-recovery',
  component: lazyRouteComponent(
    () => import('../pages/AccountRecovery.tsx'),
    'AccountRecoveryPage',
  ),
  staticData: { title: 'Lost your phone and recovery codes?' },
});

export const removeTwoStepRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/remove-two-step/$token',
  component: lazyRouteComponent(() => import('../pages/AccountRecovery.tsx'), 'RemoveTwoStepPage'),
  staticData: { title: 'Remove two-step login?' },
});

export const keepTwoStepRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keep-two-step/$token',
  component: lazyRouteComponent(() => import('../pages/AccountRecovery.tsx'), 'KeepTwoStepPage'),
  staticData: { title: 'Keep two-step login?' },
});
