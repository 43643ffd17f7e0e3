import './styles/base.css';
import './styles/fonts.css';
import './styles/tokens.css';
import { StrictMode, startTransition } from 'react';
import { App } from './app/App.tsx';
import { focusHeadingOnNavigation } from './app/focus-heading.ts';
import { preloadFirstPage } from './app/preload-first-page.ts';
import { Landing, UiProvider } from './app/preloadable-pages.tsx';
import { createAppRouter } from './app/router.ts';
import { meQuery, signInOptionsQuery } from './features/accounts/current-user.ts';
import { paths } from './lib/paths.ts';
import { createQueryClient, listenToWindowFocus } from './lib/query.ts';
import { yieldToMain } from './lib/yield-to-main.ts';

const container = document.getElementById('root');
if (!container) throw new Error('index.html has no #root');

// The server marks pages for browsers without a login cookie, which need not request the current user.
const { dataset } = container;
const isLanding = 'prerendered' in dataset && location.pathname === paths.home;
const isLogin = 'login' in dataset && location.pathname === paths.login;
const isPrerendered = isLanding || isLogin;

// Startup takes a quarter of a second on a slow phone. Yielding keeps a prerendered page responsive.
const yieldIfPrerendered = isPrerendered ? yieldToMain : async () => {};

const reactDom = import('react-dom/client');
const queryClient = createQueryClient();
const isAnonymous = isLanding || 'visitor' in dataset;
if (isAnonymous) queryClient.setQueryData(meQuery.queryKey, null);
const userRequest = isAnonymous ? Promise.resolve() : queryClient.prefetchQuery(meQuery);
await yieldIfPrerendered();

const router = createAppRouter(queryClient);
listenToWindowFocus();
focusHeadingOnNavigation(router);
await yieldIfPrerendered();

// Once everything has loaded, the first render is the whole page and replaces the prerendered one without a visible
// change.
const loading = router.load();
if (isLanding) await Promise.all([loading, Landing.preload()]);
if (isLogin) {
  await Promise.all([loading, UiProvider.preload(), queryClient.prefetchQuery(signInOptionsQuery)]);
}
if (!isPrerendered) await preloadFirstPage(router, loading, userRequest);

const root = (await reactDom).createRoot(container);
await yieldIfPrerendered();
startTransition(() =>
  root.render(
    <StrictMode>
      <App queryClient={queryClient} router={router} />
    </StrictMode>,
  ),
);
