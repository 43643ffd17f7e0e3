import { Link } from '@tanstack/react-router';
import { FullPageMessage } from '../components/FullPageMessage.tsx';
import { Illustration } from '../components/Illustration.tsx';

export function NotFoundPage() {
  return (
    <FullPageMessage
      drawing={<Illustration name="alert" size={96} />}
      title="404 Page Not Found"
      action={<Link to="/">Back to home</Link>}
    >
      Did you forget to add the page to the router?
    </FullPageMessage>
  );
}
