import { useNavigate, useSearch } from '@tanstack/react-router';
import { Column } from '../components/Column.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { Segments } from '../components/Segments.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { MessageLog } from '../features/messages/MessageLog.tsx';
import { Tray } from '../features/messages/Tray.tsx';

const views = [
  { value: 'tray', label: 'To send' },
  { value: 'sent', label: 'Sent' },
] as const;

/** What waits for the tutor's thumb, and what was sent; or what one family got. */
export function MessagesPage() {
  const tutor = useTutor();
  const { show = 'tray', family } = useSearch({ from: '/frame/tutor/messages' });
  const navigate = useNavigate();
  if (family !== undefined) {
    return (
      <Column>
        <PageHeader
          title="Messages"
          back={{
            link: { to: '/families/$id', params: { id: String(family) } },
            label: 'Back to the family',
          }}
        />
        <MessageLog familyId={family} wall={tutor} />
      </Column>
    );
  }
  return (
    <Column>
      <PageHeader title="Messages" />
      <Segments
        label="Which messages"
        value={show}
        options={views}
        onChange={(next) =>
          void navigate({
            to: '/messages',
            search: next === 'sent' ? { show: next } : {},
            replace: true,
          })
        }
      />
      {show === 'sent' ? <MessageLog wall={tutor} /> : <Tray wall={tutor} />}
    </Column>
  );
}
