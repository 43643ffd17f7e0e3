import { Link } from '@tanstack/react-router';
import { EntryLayout } from '../components/EntryLayout.tsx';

export function InvoiceLinkPage() {
  return (
    <EntryLayout
      plain
      title="Invoice"
      lead="This invoice link is not valid; please ask your tutor for a new one."
      foot={<Link to="/">What is Lessonbook?</Link>}
    />
  );
}
