import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { Spinner } from './components/Spinner.tsx';
import { PortalLayout } from './features/portal/PortalLayout.tsx';
import { SignInIntro } from './features/portal/PortalSignIn.tsx';
import { LandingPage } from './pages/Landing.tsx';
import { LoginLayout } from './pages/Login.tsx';
import { createAppRouter, listPages } from './routes/router.ts';

/* Run once by the build; see `build/write-prerendered-html.ts`. */

const history = createMemoryHistory({ initialEntries: ['/login'] });
const router = createAppRouter(new QueryClient(), history);

export const landing = renderToString(<LandingPage />);

/**
 * Omits the fields and reserves their height, because anything typed into them before the first render would be lost.
 * The links need a router for their URLs.
 */
export const login = renderToString(
  <RouterContextProvider router={router}>
    <LoginLayout>
      <div style={{ minHeight: 394 }} />
    </LoginLayout>
  </RouterContextProvider>,
);

/** Without the field and the button, for the same reason. */
const renderFamilySignIn = (hasWhatsApp: boolean): string =>
  renderToString(
    <PortalLayout title="Sign in">
      <SignInIntro hasWhatsApp={hasWhatsApp} />
      <div style={{ minHeight: 151 }} />
    </PortalLayout>,
  );

export const familySignIn = renderFamilySignIn(false);
export const familySignInWithWhatsApp = renderFamilySignIn(true);

export const spinner = renderToString(<Spinner />);

export const pages = listPages(router);
