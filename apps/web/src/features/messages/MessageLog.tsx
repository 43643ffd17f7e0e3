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
import { isInOutbox, KIND_LABELS } from './message-format.ts';
import { CHANNEL_LABELS } from './shared/ChannelSelect.tsx';

/** To whom, how, what about, when, and what became of it; unfolded, the text as it went. */
function MessageLogRow({ message, dateContext }: { message: Message; dateContext: DateContext }) {
  const [unfolded, setUnfolded] = useState(false);
  const id = useId();
  const { toName, channel, kind, state, sentAt, createdAt } = message;
  return (
    <li className={classes.item}>
      <button
        type="button"
        className={classes.row}
        aria-expanded={unfolded}
        aria-controls={id}
        onClick={() => setUnfolded(!unfolded)}
      >
        <span className={classes.who}>
          <b>{toName}</b>{' '}
          <small>
            {CHANNEL_LABELS[channel]}, {KIND_LABELS[kind].toLowerCase()}
          </small>
        </span>
        <span className={classes.when}>
          <MessageStatus state={state} />{' '}
          <small>{formatTimestamp(sentAt ?? createdAt, dateContext)}</small>
        </span>
        <IconChevronDown size={18} stroke={1.8} />
      </button>
      {state === 'failed' && <RetryFailed message={message} />}
      <div id={id} className={classes.sent} hidden={!unfolded}>
        <p className={classes.quiet}>To {message.address}</p>
        {channel === 'email' && <p className={classes.subject}>{message.subject}</p>}
        <p className={classes.words}>{message.text}</p>
        <RelatedLink message={message} />
      </div>
    </li>
  );
}

/** The way to what it brought. */
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

/** In words what went wrong; an address that was corrected meanwhile gets its chance. */
function RetryFailed({ message: { id, toName, problem } }: { message: Message }) {
  const retry = useRetryMessage();
  const attempts = useIdempotencyKey();
  return (
    <div className={classes.failed}>
      <p>{problem ?? 'It could not be sent.'}</p>
      <Button
        variant="light"
        size="sm"
        disabled={retry.isPending}
        aria-label={`Try again, ${toName}`}
        onClick={() => retry.mutate({ params: { id }, idempotencyKey: attempts.nameOf(id) })}
      >
        {retry.isPending ? 'Sending...' : 'Try again'}
      </Button>
    </div>
  );
}

/** What left the house, newest first: all of it, or what one family got. */
export function MessageLog({
  familyId,
  dateContext,
}: {
  familyId?: number | undefined;
  dateContext: DateContext;
}) {
  const log = useInfiniteQuery(messagesQuery(familyId));
  const all = log.data?.pages.flat() ?? [];
  // What still lies in the tray was not sent; of one family it is told all the same.
  const messages = familyId === undefined ? all.filter(({ state }) => !isInOutbox(state)) : all;
  return (
    <Card>
      {log.isPending && <RowSkeleton rows={5} />}
      {log.isSuccess && messages.length === 0 && (
        <EmptyState drawing={<Illustration name="envelope" size={112} />}>
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
