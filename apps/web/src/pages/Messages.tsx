import { IconBellRinging, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ButtonLink } from '../components/ButtonLink.tsx';
import { Card } from '../components/Card.tsx';
import { Illustration } from '../components/Illustration.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { EmptyState, LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { ListWithDetail, useHasRoomForDetail } from '../components/ListWithDetail.tsx';
import { PageHeader } from '../components/PageLayoutParts.tsx';
import { SegmentedControl } from '../components/SegmentedControl.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { messageQuery, outboxQuery } from '../features/messages/api.ts';
import { MessageDetails } from '../features/messages/MessageDetails.tsx';
import type { MessagesSearch } from '../features/messages/messages-search-params.ts';
import { PendingNoticeList } from '../features/messages/PendingNotices.tsx';
import { listMessagesToSend, ToSendList } from '../features/messages/ToSendList.tsx';
import classes from './Messages.module.css';

const SentMessages = lazy(async () => ({
  default: (await import('../features/messages/SentMessages.tsx')).SentMessages,
}));

const RemindOverdueModal = lazy(async () => ({
  default: (await import('../features/messages/RemindOverdueModal.tsx')).RemindOverdueModal,
}));

/** Messages to send and the log of sent ones, or the log of one family. A message is shown beside its list. */
export function MessagesPage() {
  const search = useSearch({ from: '/tutor/messages' });
  const tutor = useTutor();
  const hasRoom = useHasRoomForDetail();
  const navigate = useNavigate();
  const { message: messageId, ...list } = search;
  if (messageId !== undefined && !hasRoom) {
    return (
      <div className={classes.page}>
        <PageHeader
          title="Message"
          back={{ link: { to: '/messages', search: list }, label: 'Back to messages' }}
        />
        <SingleMessage
          id={messageId}
          onRemoved={() => void navigate({ to: '/messages', search: list, replace: true })}
        />
      </div>
    );
  }
  return (
    <div className={classes.page}>
      {search.family === undefined ? (
        <MessagesHeader search={search} />
      ) : (
        <PageHeader
          back={{
            link: { to: '/families/$id', params: { id: String(search.family) } },
            label: 'Back to the family',
          }}
          action={
            <ButtonLink
              to="/messages/new"
              search={{ families: String(search.family) }}
              leftSection={<IconPlus size={18} stroke={1.8} />}
            >
              New message
            </ButtonLink>
          }
        />
      )}
      {search.show === 'sent' || search.family !== undefined ? (
        <Sent search={search} />
      ) : (
        <>
          <ToSend search={search} />
          {!hasRoom && <RemindOverdueLink search={search} />}
        </>
      )}
      <LazyMount opened={search.remind === 'overdue'}>
        <RemindOverdueModal
          opened={search.remind === 'overdue'}
          dateContext={tutor}
          onClose={() =>
            void navigate({
              to: '/messages',
              search: { ...search, remind: undefined },
              replace: true,
            })
          }
        />
      </LazyMount>
    </div>
  );
}

function MessagesHeader({ search }: { search: MessagesSearch }) {
  const navigate = useNavigate();
  const hasRoom = useHasRoomForDetail();
  const { data: outbox } = useQuery(outboxQuery);
  const views = (
    <SegmentedControl
      label="Which messages"
      manualActivation
      value={search.show ?? 'outbox'}
      options={[
        { value: 'outbox', label: 'To send', count: outbox?.length },
        { value: 'sent', label: 'Sent' },
      ]}
      onChange={(next) =>
        void navigate({
          to: '/messages',
          search: next === 'sent' ? { show: next } : {},
          replace: true,
        })
      }
    />
  );
  return (
    <>
      <PageHeader
        action={
          <div className={classes.buttons}>
            {hasRoom && views}
            {hasRoom && <RemindOverdueLink search={search} />}
            <ButtonLink to="/messages/new" leftSection={<IconPlus size={18} stroke={1.8} />}>
              {hasRoom ? 'New message' : 'New'}
            </ButtonLink>
          </div>
        }
      />
      {!hasRoom && views}
    </>
  );
}

const RemindOverdueLink = ({ search }: { search: MessagesSearch }) => (
  <ButtonLink
    to="/messages"
    search={{ ...search, remind: 'overdue' }}
    variant="default"
    leftSection={<IconBellRinging size={18} stroke={1.8} />}
  >
    Send overdue reminders
  </ButtonLink>
);

function ToSend({ search }: { search: MessagesSearch }) {
  const tutor = useTutor();
  const outbox = useQuery(outboxQuery);
  const hasRoom = useHasRoomForDetail();
  const { filter, message: messageId } = search;
  if (!outbox.data) {
    return (
      <Card>
        {outbox.isError ? (
          <LoadError onRetry={() => void outbox.refetch()}>
            We couldn't load your messages. Your records are safe.
          </LoadError>
        ) : (
          <RowSkeleton rows={4} />
        )}
      </Card>
    );
  }
  const shown = listMessagesToSend(outbox.data, filter);
  const current = shown.find(({ id }) => id === messageId) ?? (hasRoom ? shown[0] : undefined);
  return (
    <>
      <PendingNoticeList today={tutor.today} />
      {outbox.data.length === 0 ? (
        <Card>
          <EmptyState
            illustration={<Illustration name="talk" size={150} />}
            title="Nothing to send"
            action={
              <ButtonLink to="/messages/new" variant="light">
                Write a message
              </ButtonLink>
            }
          >
            Drafts, WhatsApp messages and undelivered emails wait here until you've dealt with them.
          </EmptyState>
        </Card>
      ) : (
        <ListWithDetail
          kind="list"
          detailLabel="Message"
          list={
            <ToSendList
              messages={outbox.data}
              filter={filter}
              currentId={current?.id}
              hasActions={!hasRoom}
              dateContext={tutor}
            />
          }
          detail={
            current && <MessageDetails key={current.id} message={current} dateContext={tutor} />
          }
        />
      )}
    </>
  );
}

function Sent({ search }: { search: MessagesSearch }) {
  const tutor = useTutor();
  return (
    <ListWithDetail
      kind="table"
      detailLabel="Message"
      list={
        <Suspense fallback={<RowSkeleton rows={6} />}>
          <SentMessages search={search} dateContext={tutor} />
        </Suspense>
      }
      detail={search.message !== undefined && <SingleMessage id={search.message} />}
    />
  );
}

function SingleMessage({ id, onRemoved }: { id: number; onRemoved?: () => void }) {
  const tutor = useTutor();
  const message = useQuery(messageQuery(id));
  if (!message.data) {
    return (
      <Card>
        {message.isError ? (
          <LoadError onRetry={() => void message.refetch()}>
            We couldn't load this message.
          </LoadError>
        ) : (
          <RowSkeleton rows={3} />
        )}
      </Card>
    );
  }
  return (
    <MessageDetails
      key={id}
      message={message.data}
      dateContext={tutor}
      {...(onRemoved && { onRemoved })}
    />
  );
}
