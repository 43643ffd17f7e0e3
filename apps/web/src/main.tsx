import './styles/base.css';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/print.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { focusHeadingOnNavigation } from './app/focus-heading.ts';
import { meQuery } from './features/accounts/current-user.ts';
import { createQueryClient, listenToWindowFocus } from './lib/query-client.ts';
import { yieldToMain } from './lib/yield-or-wait-for-paint.ts';
import { createAppRouter } from './routes/router.ts';

/* The signed-in app, login and signup. The landing page and the pages for families have their own entries. */

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no #root');

// Startup takes a quarter of a second on a slow phone. Yielding keeps the prerendered login page responsive.
const queryClient = createQueryClient();
// The server marks pages for browsers without a login cookie, which need not request the current user.
if ('visitor' in container.dataset) queryClient.setQueryData(meQuery.queryKey, null);
await yieldToMain();

const router = createAppRouter(queryClient);
listenToWindowFocus();
focusHeadingOnNavigation(router);
await yieldToMain();

// The first render is the whole page, and replaces what the server sent without a visible change.
await router.load();
const root = createRoot(container);
await yieldToMain();
startTransition(() =>
  root.render(
    <StrictMode>
      <App queryClient={queryClient} router={router} />
    </StrictMode>,
  ),
);
