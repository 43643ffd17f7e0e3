import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { Inbox, MarkAllReadButton } from '../features/notifications/Inbox.tsx';

export function NotificationsPage() {
  const tutor = useTutor();
  return (
    <NarrowContainer>
      <PageHeader action={<MarkAllReadButton />} />
      <Inbox dateContext={tutor} />
    </NarrowContainer>
  );
}
