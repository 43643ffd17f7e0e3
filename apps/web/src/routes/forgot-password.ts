import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root.ts';

export const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('../pages/ForgotPassword.tsx'), 'ForgotPasswordPage'),
  staticData: { title: 'Forgot your password?' },
});
