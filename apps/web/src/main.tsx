import './styles/base.css';
import './styles/fonts.css';
import './styles/tokens.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { Landing, MantineFrame } from './app/chunks.tsx';
import { focusHeadingOnNavigation } from './app/focus.ts';
import { paths } from './app/paths.ts';
import { createAppRouter } from './app/router.ts';
import { meQuery } from './features/accounts/me.ts';
import { signInOptionsQuery } from './features/accounts/sign-in-options.ts';
import { createQueryClient, listenToWindowFocus } from './lib/query.ts';

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no #root');

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);
listenToWindowFocus();
focusHeadingOnNavigation(router);

// The server marks what it sends to a browser without a login cookie: nobody to ask about.
const { dataset } = container;
const isLanding = 'prerendered' in dataset && location.pathname === paths.home;
const isLogin = 'login' in dataset && location.pathname === paths.login;
if (isLanding || 'visitor' in dataset) queryClient.setQueryData(meQuery.queryKey, null);
else void queryClient.prefetchQuery(meQuery);

// With everything at hand the first render is the whole page, and the one that was drawn ahead is replaced unseen.
const loading = router.load();
if (isLanding) await Promise.all([loading, Landing.preload()]);
if (isLogin) {
  await Promise.all([
    loading,
    MantineFrame.preload(),
    queryClient.prefetchQuery(signInOptionsQuery),
  ]);
}

const root = createRoot(container);
startTransition(() =>
  root.render(
    <StrictMode>
      <App queryClient={queryClient} router={router} />
    </StrictMode>,
  ),
);
