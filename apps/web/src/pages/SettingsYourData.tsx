import { Card } from '../components/Card.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { SettingsLink } from '../components/SettingsRow.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { ExportCard } from '../features/export/ExportCard.tsx';
import { DeleteAccountCard } from '../features/privacy/DeleteAccountCard.tsx';

/** Export, import, erasure and account deletion. */
export function SettingsYourDataPage() {
  const tutor = useTutor();
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings' }, label: 'Back to settings' }} />
      <ExportCard dateContext={tutor} />
      <Card heading="Import and erase">
        <SettingsLink to="/settings/import" label="Import students and lessons" />
        <SettingsLink to="/settings/erase" label="Erase a person for good" />
      </Card>
      <DeleteAccountCard />
    </NarrowContainer>
  );
}
