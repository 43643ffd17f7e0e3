import { createRoute } from '@tanstack/react-router';
import { screen } from '../chunks.tsx';
import { paths } from '../paths.ts';
import { entryRoute, frameRoute, rootRoute } from './root.ts';

export const entryRoutes = [
  createRoute({
    getParentRoute: () => entryRoute,
    path: paths.login,
    component: screen('Login'),
  }),
  createRoute({
    getParentRoute: () => entryRoute,
    path: paths.signup,
    component: screen('Signup'),
  }),
] as const;

/** Links from e-mails: open to everybody, signed in or not. */
export const linkRoutes = [
  createRoute({
    getParentRoute: () => frameRoute,
    path: paths.forgotPassword,
    component: screen('ForgotPassword'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: paths.resetPassword,
    component: screen('ResetPassword'),
  }),
  createRoute({
    getParentRoute: () => frameRoute,
    path: paths.verifyEmail,
    component: screen('VerifyEmail'),
  }),
] as const;

/** For families: outside the frame, so that a phone need not load the component library to show an amount. */
export const familyRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.payLink,
    component: screen('PayLink'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.invoiceLink,
    component: screen('InvoiceLink'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.unsubscribe,
    component: screen('Unsubscribe'),
  }),
] as const;
