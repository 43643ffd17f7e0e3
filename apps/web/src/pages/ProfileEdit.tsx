import { Card } from '../components/Card.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { ProfileForm } from '../features/accounts/ProfileForm.tsx';

export function ProfileEditPage() {
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings' }, label: 'Back to settings' }} />
      <Card>
        <ProfileForm />
      </Card>
    </NarrowContainer>
  );
}
