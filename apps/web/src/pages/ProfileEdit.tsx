import { Column } from '../components/Column.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { ProfileForm } from '../features/accounts/ProfileForm.tsx';

export function ProfileEditPage() {
  return (
    <Column>
      <PageHeader
        title="Edit Profile"
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
      />
      <Sheet>
        <ProfileForm />
      </Sheet>
    </Column>
  );
}
