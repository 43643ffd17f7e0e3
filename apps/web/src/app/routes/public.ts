import { createRoute } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { lazyPage } from '../preloadable-pages.tsx';
import { authRoute, rootRoute, uiProviderRoute } from './root-and-layout-routes.ts';

export const authRoutes = [
  createRoute({
    getParentRoute: () => authRoute,
    path: paths.login,
    component: lazyPage('Login'),
  }),
  createRoute({
    getParentRoute: () => authRoute,
    path: paths.signup,
    component: lazyPage('Signup'),
  }),
] as const;

/** Links in e-mails work for everyone, signed in or not. */
export const emailLinkRoutes = [
  createRoute({
    getParentRoute: () => uiProviderRoute,
    path: paths.forgotPassword,
    component: lazyPage('ForgotPassword'),
  }),
  createRoute({
    getParentRoute: () => uiProviderRoute,
    path: paths.resetPassword,
    component: lazyPage('ResetPassword'),
  }),
  createRoute({
    getParentRoute: () => uiProviderRoute,
    path: paths.verifyEmail,
    component: lazyPage('VerifyEmail'),
  }),
  createRoute({
    getParentRoute: () => uiProviderRoute,
    path: paths.revertEmail,
    component: lazyPage('RevertEmail'),
  }),
  createRoute({
    getParentRoute: () => uiProviderRoute,
    path: paths.accountRecovery,
    component: lazyPage('AccountRecovery'),
  }),
  createRoute({
    getParentRoute: () => uiProviderRoute,
    path: paths.removeTwoStep,
    component: lazyPage('RemoveTwoStep'),
  }),
  createRoute({
    getParentRoute: () => uiProviderRoute,
    path: paths.keepTwoStep,
    component: lazyPage('KeepTwoStep'),
  }),
] as const;

/**
 * Pages for families are outside the UI provider, so that a phone does not load the component library just to show an
 * amount.
 */
export const publicRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.payLink,
    component: lazyPage('PayLink'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.invoiceLink,
    component: lazyPage('InvoiceLink'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.unsubscribe,
    component: lazyPage('Unsubscribe'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.incompletePayLink,
    component: lazyPage('IncompleteLink'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.incompleteUnsubscribe,
    component: lazyPage('IncompleteLink'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.incompleteResetPassword,
    component: lazyPage('IncompleteLink'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: paths.incompleteVerifyEmail,
    component: lazyPage('IncompleteLink'),
  }),
] as const;
