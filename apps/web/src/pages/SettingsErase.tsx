import { useSearch } from '@tanstack/react-router';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { ErasePeople } from '../features/privacy/ErasePeople.tsx';

export function SettingsErasePage() {
  const { person } = useSearch({ from: '/tutor/settings/erase' });
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings/your-data' }, label: 'Back to your data' }} />
      <ErasePeople initialPersonKey={person} />
    </NarrowContainer>
  );
}
