import './styles/base.css';
import './styles/fonts.css';
import './styles/tokens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { FamilyApp } from './app/FamilyApp.tsx';
import { loadFirstView } from './features/portal/first-view.ts';
import { portalLoginKey } from './features/portal/portal-api.ts';
import { createQueryClient, listenToWindowFocus } from './lib/query.ts';

/* The entry of the family portal. */

const container = document.getElementById('root');
if (!container) throw new Error('family.html has no #root');

listenToWindowFocus();
const queryClient = createQueryClient(portalLoginKey);
loadFirstView(queryClient);
createRoot(container).render(
  <StrictMode>
    <FamilyApp queryClient={queryClient} />
  </StrictMode>,
);
