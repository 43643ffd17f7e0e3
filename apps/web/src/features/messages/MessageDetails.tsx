import type { Message } from '@lessonbook/contract/messages';
import { ActionIcon, Button } from '@mantine/core';
import {
  IconBrandWhatsapp,
  IconCheck,
  IconDotsVertical,
  IconRefresh,
  IconThumbUp,
  IconTrash,
} from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { DropdownMenu } from '../../components/DropdownMenu.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import { firstName, initials } from '../../lib/format.ts';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { remindersQuery } from '../reminders/api.ts';
import {
  messagesQuery,
  useMarkMessageOpened,
  useRetryMessage,
  useSetMessageOutcome,
} from './api.ts';
import { MessageStatus } from './MessageStatus.tsx';
import classes from './Messages.module.css';
import { ChannelLabel, isInOutbox, KIND_LABELS } from './message-labels.tsx';
import { InvalidNumberWarning } from './WhatsAppDraftActions.tsx';

const EmailDraftForm = lazy(async () => ({
  default: (await import('./EmailDraftForm.tsx')).EmailDraftForm,
}));

interface Props {
  message: Message;
  dateContext: DateContext;
  /** Called when the message leaves the list of messages to send. */
  onRemoved?: () => void;
}

/** One message as the family reads it, with the tutor's actions. */
export function MessageDetails({ message, dateContext, onRemoved = () => undefined }: Props) {
  const { toName, familyId, subject, text, channel, address, state } = message;
  const isEmailDraft = channel === 'email' && isInOutbox(state);
  return (
    <article className={classes.details} aria-label={`Message to ${toName}`}>
      <header className={classes.detailsHead}>
        <Avatar initials={initials(toName)} />
        <div>
          {familyId === null ? (
            <b>{toName}</b>
          ) : (
            <Link to="/families/$id" params={{ id: String(familyId) }}>
              {toName}
            </Link>
          )}
          <small>{subject || KIND_LABELS[message.kind]}</small>
        </div>
        <span className={classes.address}>
          <ChannelLabel channel={channel} />
          <span>{address}</span>
        </span>
      </header>
      {!isEmailDraft && <p className={classes.text}>{text}</p>}
      {isEmailDraft ? (
        <Suspense fallback={<p className={classes.text}>{text}</p>}>
          <EmailDraftForm key={message.id} message={message} onSent={onRemoved}>
            <DraftMenu message={message} onRemoved={onRemoved} />
          </EmailDraftForm>
        </Suspense>
      ) : isInOutbox(state) ? (
        <DraftActions message={message} onRemoved={onRemoved} />
      ) : state === 'failed' ? (
        <FailedActions message={message} onRemoved={onRemoved} />
      ) : (
        <SentDetails message={message} dateContext={dateContext} />
      )}
      {familyId !== null && (
        <EarlierMessages message={message} familyId={familyId} dateContext={dateContext} />
      )}
    </article>
  );
}

const WhatsAppConsentModal = lazy(async () => ({
  default: (await import('./WhatsAppConsentModal.tsx')).WhatsAppConsentModal,
}));

interface ActionProps {
  message: Message;
  onRemoved: () => void;
}

function DraftActions({ message, onRemoved }: ActionProps) {
  const { id, openUrl } = message;
  const open = useMarkMessageOpened();
  const setOutcome = useSetMessageOutcome();
  return (
    <>
      {openUrl ? (
        <p className={classes.note}>
          WhatsApp opens with this text. We can't see whether you sent it, so mark it as sent when
          you're back.
        </p>
      ) : (
        <InvalidNumberWarning message={message} />
      )}
      <div className={classes.actions}>
        {openUrl && (
          <>
            <Button
              component="a"
              variant="light"
              href={openUrl}
              target="_blank"
              rel="noreferrer"
              leftSection={<IconBrandWhatsapp size={18} stroke={1.8} />}
              onClick={() => open.mutate(id)}
            >
              Open in WhatsApp
            </Button>
            <Button
              variant="default"
              leftSection={<IconCheck size={18} stroke={1.8} />}
              disabled={setOutcome.isPending}
              onClick={() =>
                setOutcome.mutate(
                  { params: { id }, body: { outcome: 'sent' } },
                  { onSuccess: onRemoved },
                )
              }
            >
              Mark as sent
            </Button>
          </>
        )}
        <DraftMenu message={message} onRemoved={onRemoved} />
      </div>
    </>
  );
}

function DraftMenu({ message, onRemoved }: ActionProps) {
  const { toName, openUrl } = message;
  const { data: reminders } = useQuery(remindersQuery);
  const [consentOpened, setConsentOpened] = useState(false);
  const dismiss = useDismiss(message, onRemoved);
  const canAutoSend = Boolean(openUrl && reminders?.whatsAppAutomatic);
  return (
    <>
      <DropdownMenu
        width={canAutoSend ? 280 : 220}
        target={
          <ActionIcon variant="subtle" color="gray" size={44} aria-label={`More, ${toName}`}>
            <IconDotsVertical size={20} stroke={1.8} />
          </ActionIcon>
        }
      >
        {(Menu) => (
          <>
            {canAutoSend && (
              <Menu.Item
                leftSection={<IconThumbUp size={18} stroke={1.8} />}
                onClick={() => setConsentOpened(true)}
              >
                {toName} has agreed: send reminders automatically
              </Menu.Item>
            )}
            <Menu.Item leftSection={<IconTrash size={18} stroke={1.8} />} onClick={dismiss}>
              Don't send
            </Menu.Item>
          </>
        )}
      </DropdownMenu>
      <LazyMount opened={consentOpened}>
        <WhatsAppConsentModal
          message={message}
          opened={consentOpened}
          onClose={() => setConsentOpened(false)}
          onRemoved={onRemoved}
        />
      </LazyMount>
    </>
  );
}

function useDismiss({ id }: Message, onRemoved: () => void) {
  const setOutcome = useSetMessageOutcome();
  return () =>
    setOutcome.mutate({ params: { id }, body: { outcome: 'dismissed' } }, { onSuccess: onRemoved });
}

/** Why the message was not delivered, and what to do. A retry uses the current address, which may have been corrected. */
function FailedActions({ message, onRemoved }: ActionProps) {
  const { id, familyId, channel, problem } = message;
  const retry = useRetryMessage();
  const idempotency = useIdempotencyKey();
  const dismiss = useDismiss(message, onRemoved);
  const label = channel === 'email' ? 'Correct the address' : 'Correct the number';
  return (
    <>
      <p className={classes.note} data-problem role="note">
        {problem ?? "It couldn't be sent."}
      </p>
      <div className={classes.actions}>
        {familyId === null ? (
          <ButtonLink to="/schedule" search={{ view: 'students' }} variant="light">
            {label}
          </ButtonLink>
        ) : (
          <ButtonLink to="/families/$id" params={{ id: String(familyId) }} variant="light">
            {label}
          </ButtonLink>
        )}
        <Button
          variant="default"
          leftSection={<IconRefresh size={18} stroke={1.8} />}
          disabled={retry.isPending}
          onClick={() =>
            retry.mutate(
              { params: { id }, idempotencyKey: idempotency.keyFor(id) },
              { onSuccess: onRemoved },
            )
          }
        >
          {retry.isPending ? 'Sending...' : 'Try again'}
        </Button>
        <Button variant="subtle" onClick={dismiss}>
          Don't send
        </Button>
      </div>
    </>
  );
}

/** When, how and by whom the message was sent, and what it is about. */
function SentDetails({ message, dateContext }: Pick<Props, 'message' | 'dateContext'>) {
  const { sentAt, createdAt, sentBy, problem, invoiceId, paymentId, familyId } = message;
  return (
    <div className={classes.facts}>
      <p>
        <MessageStatus message={message} /> {formatTimestamp(sentAt ?? createdAt, dateContext)},{' '}
        {sentBy === 'automatic' ? 'automatically' : 'by you'}
      </p>
      {problem && <p>{problem}</p>}
      {invoiceId !== null && (
        <Link to="/invoices/$id" params={{ id: String(invoiceId) }}>
          See the invoice
        </Link>
      )}
      {invoiceId === null && paymentId !== null && familyId !== null && (
        <Link to="/families/$id" params={{ id: String(familyId) }} search={{ payment: paymentId }}>
          See the payment
        </Link>
      )}
    </div>
  );
}

const MAX_EARLIER = 3;

function EarlierMessages({
  message: { id, toName },
  familyId,
  dateContext,
}: Pick<Props, 'message' | 'dateContext'> & { familyId: number }) {
  const log = useInfiniteQuery(messagesQuery({ familyId, show: 'sent', limit: MAX_EARLIER + 1 }));
  const earlier = log.data?.pages
    .flat()
    .filter((message) => message.id !== id)
    .slice(0, MAX_EARLIER);
  if (log.isPlaceholderData || !earlier || earlier.length === 0) return null;
  return (
    <section className={classes.earlier}>
      <div className={classes.earlierHead}>
        <h2>Earlier messages to {firstName(toName)}</h2>
        <Link to="/messages" search={{ family: familyId }}>
          See all
        </Link>
      </div>
      <ul>
        {earlier.map((message) => (
          <li key={message.id}>
            <Link to="/messages" search={{ show: 'sent', message: message.id }}>
              {message.subject || KIND_LABELS[message.kind]}
            </Link>
            <span>
              <MessageStatus message={message} />{' '}
              {formatTimestamp(message.sentAt ?? message.createdAt, dateContext)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
