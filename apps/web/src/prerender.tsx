import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { createAppRouter } from './app/router.ts';
import { Spinner } from './components/Spinner.tsx';
import { LoginLayout } from './features/accounts/LoginLayout.tsx';
import { LandingPage } from './pages/Landing.tsx';

/* Run once by the build; see `build/write-prerendered-html.ts`. */

/** The links need a router for their URLs. */
function renderAt(path: string, page: ReactNode): string {
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createAppRouter(new QueryClient(), history);
  return renderToString(<RouterContextProvider router={router}>{page}</RouterContextProvider>);
}

export const renderLanding = (): string => renderAt('/', <LandingPage />);

/** Omits the fields and reserves their height, because anything typed into them before hydration would be lost. */
export const renderLogin = (): string =>
  renderAt(
    '/login',
    <LoginLayout>
      <div style={{ minHeight: 394 }} />
    </LoginLayout>,
  );

export const renderSpinner = (): string => renderToString(<Spinner />);
