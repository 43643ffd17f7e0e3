import { Column } from '../components/Column.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { ConfirmGate } from '../features/accounts/ConfirmGate.tsx';
import { ProfileForm } from '../features/accounts/ProfileForm.tsx';

export function ProfileEditPage() {
  return (
    <Column>
      <PageHeader
        title="Edit Profile"
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
      />
      <Sheet>
        <ConfirmGate>
          <ProfileForm />
        </ConfirmGate>
      </Sheet>
    </Column>
  );
}
