import { Link } from '@tanstack/react-router';
import { EntryLayout } from '../components/EntryLayout.tsx';

export function PayLinkPage() {
  return (
    <EntryLayout
      plain
      title="Payment"
      lead="This payment link is not valid; please ask your tutor for a new one."
      foot={<Link to="/">What is Lessonbook?</Link>}
    />
  );
}
