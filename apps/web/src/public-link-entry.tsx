import './styles/base.css';
import './styles/fonts.css';
import './styles/tokens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PublicLinkApp } from './app/PublicLinkApp.tsx';
import { createQueryClient, listenToWindowFocus } from './lib/query-client.ts';

/* The entry of the pages that families open from a link. */

const container = document.getElementById('root');
if (!container) throw new Error('link.html has no #root');

listenToWindowFocus();
createRoot(container).render(
  <StrictMode>
    <PublicLinkApp queryClient={createQueryClient()} path={window.location.pathname} />
  </StrictMode>,
);
