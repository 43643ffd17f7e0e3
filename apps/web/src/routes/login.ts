import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { authRoute } from './auth.ts';

export const loginRoute = createRoute({
  getParentRoute: () => authRoute,
  path: '/login',
  component: lazyRouteComponent(() => import('../pages/Login.tsx'), 'LoginPage'),
  staticData: { title: 'Welcome back' },
});
