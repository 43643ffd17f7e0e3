import { PublicLayout } from '../components/PublicLayout.tsx';

/** Shown when the end of a link from an email or message is missing. */
export function IncompleteLinkPage() {
  return (
    <PublicLayout title="This link is incomplete">
      <p>
        Part of the link is missing. Please open it again from the email or message, and make sure
        that you copy all of it. If that doesn't help, please ask for a new link.
      </p>
    </PublicLayout>
  );
}
