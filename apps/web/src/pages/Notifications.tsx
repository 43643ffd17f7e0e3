import { Column } from '../components/Column.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { Inbox } from '../features/notifications/Inbox.tsx';
import { MarkAllRead } from '../features/notifications/MarkAllRead.tsx';

/** The tutor's own inbox. */
export function NotificationsPage() {
  const tutor = useTutor();
  return (
    <Column>
      <PageHeader title="Notifications" action={<MarkAllRead />} />
      <Inbox wall={tutor} />
    </Column>
  );
}
