import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { firstPathFor, RequireSignedOut } from '../app/RequireSignedOut.tsx';
import { loadUser, signInOptionsQuery } from '../features/accounts/current-user.ts';
import { rootRoute } from './root.ts';

/** The guard of login and signup: a signed-in tutor is redirected. */
export const authRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'auth',
  loader: async ({ context, preload }) => {
    // The sign-in options determine the layout, so the pages wait for them. Without a response they show the minimum.
    const [user] = await Promise.all([
      loadUser(context),
      context.queryClient.prefetchQuery(signInOptionsQuery),
    ]);
    if (user && !preload) redirect({ to: firstPathFor(user), replace: true, throw: true });
  },
  component: RequireSignedOut,
});

export const loginRoute = createRoute({
  getParentRoute: () => authRoute,
  path: '/login',
  component: lazyRouteComponent(() => import('../pages/Login.tsx'), 'LoginPage'),
  staticData: { title: 'Welcome back' },
});

export const signupRoute = createRoute({
  getParentRoute: () => authRoute,
  path: '/signup',
  component: lazyRouteComponent(() => import('../pages/Signup.tsx'), 'SignupPage'),
  staticData: { title: 'Create your account' },
});

export const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('../pages/PasswordReset.tsx'), 'ForgotPasswordPage'),
  staticData: { title: 'Forgot your password?' },
});

export const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password/$token',
  component: lazyRouteComponent(() => import('../pages/PasswordReset.tsx'), 'ResetPasswordPage'),
  staticData: { title: 'Choose a new password' },
});

export const incompleteResetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('../pages/IncompleteLink.tsx'), 'IncompleteLinkPage'),
  staticData: { title: 'This link is incomplete' },
});

export const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify-email/$token',
  component: lazyRouteComponent(() => import('../pages/VerifyEmail.tsx'), 'VerifyEmailPage'),
  staticData: { title: 'Confirm your email' },
});

export const incompleteVerifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify-email',
  component: lazyRouteComponent(() => import('../pages/IncompleteLink.tsx'), 'IncompleteLinkPage'),
  staticData: { title: 'This link is incomplete' },
});

export const revertEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/revert-email/$token',
  component: lazyRouteComponent(() => import('../pages/RevertEmail.tsx'), 'RevertEmailPage'),
  staticData: { title: 'Restore your email address' },
});

export const accountRecoveryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account-recovery',
  component: lazyRouteComponent(
    () => import('../pages/RemoveTwoStepLogin.tsx'),
    'AccountRecoveryPage',
  ),
  staticData: { title: 'Lost your phone and recovery codes?' },
});

export const removeTwoStepRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/remove-two-step/$token',
  component: lazyRouteComponent(
    () => import('../pages/RemoveTwoStepLogin.tsx'),
    'RemoveTwoStepPage',
  ),
  staticData: { title: 'Remove two-step login?' },
});

export const keepTwoStepRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keep-two-step/$token',
  component: lazyRouteComponent(() => import('../pages/RemoveTwoStepLogin.tsx'), 'KeepTwoStepPage'),
  staticData: { title: 'Keep two-step login?' },
});
