import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { createAppRouter } from './app/router.ts';
import { LandingPage } from './pages/Landing.tsx';

/** Run once by the build, see `build/prerender-landing.ts`. The router is there for the links' addresses. */
export function renderLanding(): string {
  const router = createAppRouter(new QueryClient(), createMemoryHistory({ initialEntries: ['/'] }));
  return renderToString(
    <RouterContextProvider router={router}>
      <LandingPage />
    </RouterContextProvider>,
  );
}
