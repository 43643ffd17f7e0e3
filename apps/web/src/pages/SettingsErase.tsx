import { useSearch } from '@tanstack/react-router';
import { Column } from '../components/Column.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { ErasePeople } from '../features/own-data/ErasePeople.tsx';

export function SettingsErasePage() {
  const { person } = useSearch({ from: '/frame/tutor/settings/erase' });
  return (
    <Column>
      <PageHeader
        title="Erase a person"
        back={{ link: { to: '/settings/your-data' }, label: 'Back to your data' }}
      />
      <ErasePeople person={person} />
    </Column>
  );
}
