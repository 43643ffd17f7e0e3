import { Column } from '../components/Column.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { SettingsLink } from '../components/SettingsRow.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { DeleteAccount } from '../features/own-data/DeleteAccount.tsx';
import { ExportSheet } from '../features/own-data/ExportSheet.tsx';

/** What belongs to the tutor: take it along, bring it in, take it out. */
export function SettingsYourDataPage() {
  const tutor = useTutor();
  return (
    <Column>
      <PageHeader
        title="Your data"
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
      />
      <ExportSheet wall={tutor} />
      <Sheet heading="Import and erase">
        <SettingsLink to="/settings/import" label="Import students and lessons" />
        <SettingsLink to="/settings/erase" label="Erase a person for good" />
      </Sheet>
      <DeleteAccount />
    </Column>
  );
}
