import './styles/base.css';
import './styles/fonts.css';
import './styles/tokens.css';
import { StrictMode, startTransition } from 'react';
import { App } from './app/App.tsx';
import { screenAtHand } from './app/at-hand.ts';
import { Landing, MantineFrame } from './app/chunks.tsx';
import { focusHeadingOnNavigation } from './app/focus.ts';
import { paths } from './app/paths.ts';
import { createAppRouter } from './app/router.ts';
import { meQuery } from './features/accounts/me.ts';
import { signInOptionsQuery } from './features/accounts/sign-in-options.ts';
import { breath } from './lib/breath.ts';
import { createQueryClient, listenToWindowFocus } from './lib/query.ts';

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no #root');

// The server marks what it sends to a browser without a login cookie: nobody to ask about.
const { dataset } = container;
const isLanding = 'prerendered' in dataset && location.pathname === paths.home;
const isLogin = 'login' in dataset && location.pathname === paths.login;
const isDrawnAhead = isLanding || isLogin;

// To begin takes a slow phone a quarter of a second. A page that is there already listens in between.
const breathe = isDrawnAhead ? breath : async () => {};

const drawing = import('react-dom/client');
const queryClient = createQueryClient();
const isNobody = isLanding || 'visitor' in dataset;
if (isNobody) queryClient.setQueryData(meQuery.queryKey, null);
const asked = isNobody ? Promise.resolve() : queryClient.prefetchQuery(meQuery);
await breathe();

const router = createAppRouter(queryClient);
listenToWindowFocus();
focusHeadingOnNavigation(router);
await breathe();

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
if (!isDrawnAhead) await screenAtHand(router, loading, asked);

const root = (await drawing).createRoot(container);
await breathe();
startTransition(() =>
  root.render(
    <StrictMode>
      <App queryClient={queryClient} router={router} />
    </StrictMode>,
  ),
);
