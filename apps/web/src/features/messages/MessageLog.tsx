import type { Message } from '@lessonbook/contract/messages';
import { Button } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { Illustration } from '../../components/Illustration.tsx';
import { EmptyState, LoadError, RowSkeleton, ShowMore } from '../../components/ListStates.tsx';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { messagesQuery, useRetryMessage } from './api.ts';
import classes from './MessageLog.module.css';
import { MessageStatus } from './MessageStatus.tsx';
import { isInOutbox, KIND_LABELS } from './message-labels-and-grouping.ts';
import { CHANNEL_LABELS } from './shared/channel-labels.ts';

/** Recipient, channel, kind, time and status. Expands to show the text as sent. */
function MessageLogRow({ message, dateContext }: { message: Message; dateContext: DateContext }) {
  const [expanded, setExpanded] = useState(false);
  const id = useId();
  const { toName, channel, kind, state, sentAt, createdAt } = message;
  return (
    <li className={classes.item}>
      <button
        type="button"
        className={classes.row}
        aria-expanded={expanded}
        aria-controls={id}
        onClick={() => setExpanded(!expanded)}
      >
        <span className={classes.recipient}>
          <b>{toName}</b>{' '}
          <small>
            {CHANNEL_LABELS[channel]}, {KIND_LABELS[kind].toLowerCase()}
          </small>
        </span>
        <span className={classes.status}>
          <MessageStatus state={state} />{' '}
          <small>{formatTimestamp(sentAt ?? createdAt, dateContext)}</small>
        </span>
        <IconChevronDown size={18} stroke={1.8} />
      </button>
      {state === 'failed' && <RetryFailed message={message} />}
      <div id={id} className={classes.sent} hidden={!expanded}>
        <p className={classes.muted}>To {message.address}</p>
        {channel === 'email' && <p className={classes.subject}>{message.subject}</p>}
        <p className={classes.text}>{message.text}</p>
        <RelatedLink message={message} />
      </div>
    </li>
  );
}

/** Link to the message's invoice or payment. */
function RelatedLink({ message: { invoiceId, paymentId, familyId } }: { message: Message }) {
  if (invoiceId !== null) {
    return (
      <Link to="/invoices/$id" params={{ id: String(invoiceId) }} className={classes.about}>
        See the invoice
      </Link>
    );
  }
  if (paymentId === null || familyId === null) return null;
  return (
    <Link
      to="/families/$id"
      params={{ id: String(familyId) }}
      search={{ payment: paymentId }}
      className={classes.about}
    >
      See the payment
    </Link>
  );
}

/** The error and a retry button. A retry uses the current address, which may have been corrected. */
function RetryFailed({ message: { id, toName, problem } }: { message: Message }) {
  const retry = useRetryMessage();
  const idempotency = useIdempotencyKey();
  return (
    <div className={classes.failed}>
      <p>{problem ?? 'It could not be sent.'}</p>
      <Button
        variant="light"
        size="sm"
        disabled={retry.isPending}
        aria-label={`Try again, ${toName}`}
        onClick={() => retry.mutate({ params: { id }, idempotencyKey: idempotency.keyFor(id) })}
      >
        {retry.isPending ? 'Sending...' : 'Try again'}
      </Button>
    </div>
  );
}

/** Sent messages for one family or all families, newest first. */
export function MessageLog({
  familyId,
  dateContext,
}: {
  familyId?: number | undefined;
  dateContext: DateContext;
}) {
  const log = useInfiniteQuery(messagesQuery(familyId));
  const all = log.data?.pages.flat() ?? [];
  // Drafts in the outbox have not been sent; the log for one family shows them anyway.
  const messages = familyId === undefined ? all.filter(({ state }) => !isInOutbox(state)) : all;
  return (
    <Card>
      {log.isPending && <RowSkeleton rows={5} />}
      {log.isSuccess && messages.length === 0 && (
        <EmptyState illustration={<Illustration name="envelope" size={112} />}>
          {familyId === undefined
            ? 'No messages sent yet. Reminders, invoices and news of changes stand here once they go.'
            : 'Nothing was sent to this family yet.'}
        </EmptyState>
      )}
      {messages.length > 0 && (
        <ul>
          {messages.map((message) => (
            <MessageLogRow key={message.id} message={message} dateContext={dateContext} />
          ))}
        </ul>
      )}
      {log.isError && (
        <LoadError
          onRetry={() => void (log.isFetchNextPageError ? log.fetchNextPage() : log.refetch())}
        >
          {messages.length > 0
            ? 'The rest could not be loaded.'
            : 'What was sent could not be loaded.'}
        </LoadError>
      )}
      {!log.isError && <ShowMore list={log} />}
    </Card>
  );
}
