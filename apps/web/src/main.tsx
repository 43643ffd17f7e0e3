import './styles/base.css';
import './styles/fonts.css';
import './styles/tokens.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { Landing } from './app/chunks.tsx';
import { focusHeadingOnNavigation } from './app/focus.ts';
import { createAppRouter } from './app/router.ts';
import { meQuery } from './features/accounts/me.ts';
import { createQueryClient, listenToWindowFocus } from './lib/query.ts';

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no #root');

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);
listenToWindowFocus();
focusHeadingOnNavigation(router);

// The server sends the prerendered page only to a browser without a login cookie: nobody to ask about.
const prerendered = 'prerendered' in container.dataset && location.pathname === '/';
if (prerendered) queryClient.setQueryData(meQuery.queryKey, null);
else void queryClient.prefetchQuery(meQuery);

// With everything at hand the first render is the whole page, and the prerendered one is replaced unseen.
const loading = router.load();
if (prerendered) await Promise.all([loading, Landing.preload()]);

const root = createRoot(container);
startTransition(() =>
  root.render(
    <StrictMode>
      <App queryClient={queryClient} router={router} />
    </StrictMode>,
  ),
);
