import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { ActivityList } from '../features/audit/ActivityList.tsx';

export function SettingsActivityPage() {
  const tutor = useTutor();
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings' }, label: 'Back to settings' }} />
      <ActivityList dateContext={tutor} />
    </NarrowContainer>
  );
}
