import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { authRoute } from './auth.ts';

export const signupRoute = createRoute({
  getParentRoute: () => authRoute,
  path: '/signup',
  component: lazyRouteComponent(() => import('../pages/Signup.tsx'), 'SignupPage'),
  staticData: { title: 'Open your book' },
});
