import { Column } from '../components/Column.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { ActivityList } from '../features/own-data/ActivityList.tsx';

export function SettingsActivityPage() {
  const tutor = useTutor();
  return (
    <Column>
      <PageHeader
        title="Activity"
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
      />
      <ActivityList wall={tutor} />
    </Column>
  );
}
