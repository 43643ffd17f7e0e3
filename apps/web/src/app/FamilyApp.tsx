import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { PortalAuthGate } from '../features/portal/PortalAuthGate.tsx';

/** The family portal. It uses neither the router nor the component library. */
export function FamilyApp({ queryClient }: { queryClient: QueryClient }) {
  return (
    <QueryClientProvider client={queryClient}>
      <PortalAuthGate />
    </QueryClientProvider>
  );
}
