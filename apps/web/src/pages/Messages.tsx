import { useNavigate, useSearch } from '@tanstack/react-router';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { SegmentedControl } from '../components/SegmentedControl.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { MessageLog } from '../features/messages/MessageLog.tsx';
import { PendingNoticeList } from '../features/messages/PendingNotices.tsx';
import { WhatsAppOutbox } from '../features/messages/WhatsAppOutbox.tsx';

const views = [
  { value: 'outbox', label: 'To send' },
  { value: 'sent', label: 'Sent' },
] as const;

/** Messages to send and the log of sent ones, or the log of one family. */
export function MessagesPage() {
  const tutor = useTutor();
  const { show = 'outbox', family } = useSearch({ from: '/tutor/messages' });
  const navigate = useNavigate();
  if (family !== undefined) {
    return (
      <NarrowContainer>
        <PageHeader
          back={{
            link: { to: '/families/$id', params: { id: String(family) } },
            label: 'Back to the family',
          }}
        />
        <MessageLog familyId={family} dateContext={tutor} />
      </NarrowContainer>
    );
  }
  return (
    <NarrowContainer>
      <PageHeader />
      <SegmentedControl
        label="Which messages"
        manualActivation
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
      {show === 'sent' ? (
        <MessageLog dateContext={tutor} />
      ) : (
        <>
          <PendingNoticeList today={tutor.today} />
          <WhatsAppOutbox dateContext={tutor} />
        </>
      )}
    </NarrowContainer>
  );
}
