import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Toaster } from '../components/Toaster.tsx';
import { PublicBillPage } from '../features/invoices/PublicBillPage.tsx';
import { IncompleteLinkPage } from '../pages/IncompleteLink.tsx';
import { UnsubscribePage } from '../pages/Unsubscribe.tsx';

interface Props {
  queryClient: QueryClient;
  path: string;
}

/** The pages that families open from a link. They use neither the router nor the component library. */
export function PublicLinkApp({ queryClient, path }: Props) {
  return (
    <QueryClientProvider client={queryClient}>
      <LinkPage path={path} />
      <Toaster />
    </QueryClientProvider>
  );
}

/** The server decides which paths load this app; see `describe-public-pages.ts`. */
function LinkPage({ path }: { path: string }) {
  const [, kind = '', encodedToken = ''] = /^\/(\w+)\/?(.*)$/.exec(path) ?? [];
  const token = decodeToken(encodedToken);
  if (token === '') return <IncompleteLinkPage />;
  if (kind === 'unsubscribe') return <UnsubscribePage token={token} />;
  return <PublicBillPage token={token} name={kind === 'invoices' ? 'Invoice' : 'Payment'} />;
}

/** A malformed token is sent as is, and the server rejects it. */
function decodeToken(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
