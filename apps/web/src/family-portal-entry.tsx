import './styles/base.css';
import './styles/fonts.css';
import './styles/tokens.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { FamilyApp } from './app/FamilyApp.tsx';
import { hydrateQueryCacheFromHtml } from './features/portal/hydrate-query-cache-from-html.ts';
import { signedInPagesQuery } from './features/portal/PortalAuthGate.tsx';
import { portalLoginKey, portalLoginQuery } from './features/portal/signed-in-contact-api.ts';
import { createQueryClient, listenToWindowFocus } from './lib/query-client.ts';

/* The entry of the family portal. */

const container = document.getElementById('root');
if (!container) throw new Error('family.html has no #root');

listenToWindowFocus();
const queryClient = createQueryClient(portalLoginKey);
hydrateQueryCacheFromHtml(queryClient);
// Loads the pages first, so that the first render is complete. If this fails, the page offers to try again.
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
