import { Link } from '@tanstack/react-router';
import { MessageCard } from '../components/MessageCard.tsx';
import { Spot } from '../components/Spot.tsx';

export function NotFoundPage() {
  return (
    <MessageCard
      drawing={<Spot name="alert" size={96} />}
      title="404 Page Not Found"
      action={<Link to="/">Back to start</Link>}
    >
      Did you forget to add the page to the router?
    </MessageCard>
  );
}
