import { useParams } from '@tanstack/react-router';
import { PayPage } from '../features/invoices/PayPage.tsx';

/** What a family owes, whatever it is for. */
export function PayLinkPage() {
  const { token } = useParams({ from: '/pay/$token' });
  return <PayPage key={token} token={token} name="Payment" />;
}
