import type { Message } from '@lessonbook/contract/messages';
import { Button } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { CHANNEL_NAMES } from '../../lib/channel-names.ts';
import { momentInWords, type Wall } from '../../lib/moments.ts';
import { useNamedAttempts } from '../../lib/named-attempts.ts';
import { useRetryMessage } from './api.ts';
import classes from './MessageLog.module.css';
import { MessageResult } from './MessageResult.tsx';
import { KIND_NAMES } from './message-words.ts';

/** To whom, how, what about, when, and what became of it; unfolded, the text as it went. */
export function LogRow({ message, wall }: { message: Message; wall: Wall }) {
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
            {CHANNEL_NAMES[channel]}, {KIND_NAMES[kind].toLowerCase()}
          </small>
        </span>
        <span className={classes.when}>
          <MessageResult state={state} /> <small>{momentInWords(sentAt ?? createdAt, wall)}</small>
        </span>
        <IconChevronDown size={18} stroke={1.8} />
      </button>
      {state === 'failed' && <Failed message={message} />}
      <div id={id} className={classes.sent} hidden={!unfolded}>
        <p className={classes.quiet}>To {message.address}</p>
        {channel === 'email' && <p className={classes.subject}>{message.subject}</p>}
        <p className={classes.words}>{message.text}</p>
        <About message={message} />
      </div>
    </li>
  );
}

/** The way to what it brought. */
function About({ message: { invoiceId, paymentId, familyId } }: { message: Message }) {
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
function Failed({ message: { id, toName, problem } }: { message: Message }) {
  const retry = useRetryMessage();
  const attempts = useNamedAttempts();
  return (
    <div className={classes.failed}>
      <p>{problem ?? 'It could not be sent.'}</p>
      <Button
        variant="light"
        size="sm"
        disabled={retry.isPending}
        aria-label={`Try again, ${toName}`}
        onClick={() => retry.mutate({ params: { id }, attempt: attempts.nameOf(id) })}
      >
        {retry.isPending ? 'Sending...' : 'Try again'}
      </Button>
    </div>
  );
}
