import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { Inbox, MarkAllReadButton } from '../features/notifications/Inbox.tsx';

/** The tutor's own inbox. */
export function NotificationsPage() {
  const tutor = useTutor();
  return (
    <NarrowContainer>
      <PageHeader title="Notifications" action={<MarkAllReadButton />} />
      <Inbox dateContext={tutor} />
    </NarrowContainer>
  );
}
