import { useParams } from '@tanstack/react-router';
import { PayPage } from '../features/invoices/PayPage.tsx';

/** One invoice, for the family it was sent to. */
export function InvoiceLinkPage() {
  const { token } = useParams({ from: '/invoices/$token' });
  return <PayPage key={token} token={token} name="Invoice" />;
}
