import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { entryRoute, frameRoute, rootRoute } from './root.ts';

export const entryRoutes = [
  createRoute({
    getParentRoute: () => entryRoute,
    path: paths.login,
    component: lazyRouteComponent(() => import('../../pages/Login.tsx'), 'LoginPage'),
  }),
  createRoute({
    getParentRoute: () => entryRoute,
    path: paths.signup,
    component: lazyRouteComponent(() => import('../../pages/Signup.tsx'), 'SignupPage'),
  }),
] as const;

/** Links from e-mails: open to everybody, signed in or not. */
export const linkRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: paths.forgotPassword,
    component: lazyRouteComponent(
      () => import('../../pages/ForgotPassword.tsx'),
      'ForgotPasswordPage',
    ),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: paths.resetPassword,
    component: lazyRouteComponent(
      () => import('../../pages/ResetPassword.tsx'),
      'ResetPasswordPage',
    ),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: paths.verifyEmail,
    component: lazyRouteComponent(() => import('../../pages/VerifyEmail.tsx'), 'VerifyEmailPage'),
  }),
] as const;

/** For families: outside the frame, so that a phone need not load the component library to show an amount. */
export const familyRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.payLink,
    component: lazyRouteComponent(() => import('../../pages/PayLink.tsx'), 'PayLinkPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.invoiceLink,
    component: lazyRouteComponent(() => import('../../pages/InvoiceLink.tsx'), 'InvoiceLinkPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.unsubscribe,
    component: lazyRouteComponent(() => import('../../pages/Unsubscribe.tsx'), 'UnsubscribePage'),
  }),
] as const;
