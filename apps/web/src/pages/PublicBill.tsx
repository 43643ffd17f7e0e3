import { useParams } from '@tanstack/react-router';
import { PublicBillPage } from '../features/invoices/PublicBillPage.tsx';

export function InvoiceLinkPage() {
  const { token } = useParams({ from: '/invoices/$token' });
  return <PublicBillPage key={token} token={token} name="Invoice" />;
}

/** A family's balance. */
export function PayLinkPage() {
  const { token } = useParams({ from: '/pay/$token' });
  return <PublicBillPage key={token} token={token} name="Payment" />;
}
