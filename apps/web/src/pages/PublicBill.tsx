import { useParams } from '@tanstack/react-router';
import { PublicBillPage } from '../features/invoices/PublicBillPage.tsx';

/** One invoice, for the family it was sent to. */
export function InvoiceLinkPage() {
  const { token } = useParams({ from: '/invoices/$token' });
  return <PublicBillPage key={token} token={token} name="Invoice" />;
}

/** What a family owes, whatever it is for. */
export function PayLinkPage() {
  const { token } = useParams({ from: '/pay/$token' });
  return <PublicBillPage key={token} token={token} name="Payment" />;
}
