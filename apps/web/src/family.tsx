import './styles/base.css';
import './styles/fonts.css';
import './styles/tokens.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { FamilyApp } from './app/FamilyApp.tsx';
import { loadFirstView } from './features/portal/first-view.ts';
import { signedInPagesQuery } from './features/portal/PortalPages.tsx';
import { portalLoginKey, portalLoginQuery } from './features/portal/portal-api.ts';
import { createQueryClient, listenToWindowFocus } from './lib/query.ts';

/* The entry of the family portal. */

const container = document.getElementById('root');
if (!container) throw new Error('family.html has no #root');

listenToWindowFocus();
const queryClient = createQueryClient(portalLoginKey);
loadFirstView(queryClient);
// The first render is then the whole page. If this fails, the page offers to try again.
if (queryClient.getQueryData(portalLoginQuery.queryKey))
  await queryClient.prefetchQuery(signedInPagesQuery);
const root = createRoot(container);
startTransition(() =>
  root.render(
    <StrictMode>
      <FamilyApp queryClient={queryClient} />
    </StrictMode>,
  ),
);
