import { ButtonLink } from '../components/ButtonLink.tsx';
import { Column } from '../components/Column.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { Spot } from '../components/Spot.tsx';

export function SettingsBusinessPage() {
  return (
    <Column>
      <PageHeader
        title="Business"
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
      />
      <Sheet>
        <EmptyState
          drawing={<Spot name="book" size={112} />}
          action={
            <ButtonLink to="/profile-edit" variant="light">
              Edit Profile
            </ButtonLink>
          }
        >
          Families see the name in your profile.
        </EmptyState>
      </Sheet>
    </Column>
  );
}
