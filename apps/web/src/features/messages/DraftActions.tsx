import type { Message } from '@lessonbook/contract/messages';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useOpenMessage, useResolveDraft } from './api.ts';
import classes from './Outbox.module.css';

/** Why it cannot be opened, and where that is mended. */
export function InvalidNumber({
  message: { problem, openUrl, familyId, toName },
}: InvalidNumberProps) {
  if (openUrl) return null;
  const name = { children: 'Fix number', 'aria-label': `Fix number, ${toName}` };
  return (
    <p className={classes.problem}>
      {problem ?? 'This number does not work with WhatsApp.'}{' '}
      {familyId === null ? (
        <Link to="/schedule" search={{ view: 'students' }} {...name} />
      ) : (
        <Link to="/families/$id" params={{ id: String(familyId) }} {...name} />
      )}
    </p>
  );
}

interface InvalidNumberProps {
  message: Message;
}

/** 'Open', and once it was opened the question that only the tutor can answer. */
export function DraftActions({ message }: { message: Message }) {
  const { id, toName, openUrl, state } = message;
  const open = useOpenMessage();
  const settle = useResolveDraft();
  const yes = useRef<HTMLButtonElement>(null);
  const asks = state === 'opened';
  const askedBefore = useRef(asks);

  useEffect(() => {
    // The link that was pressed is gone; whoever comes back goes on with the question.
    if (asks && !askedBefore.current) yes.current?.focus();
    askedBefore.current = asks;
  }, [asks]);

  const say = (outcome: 'sent' | 'not_yet') => settle.mutate({ params: { id }, body: { outcome } });

  if (!openUrl) return null;
  if (!asks) {
    return (
      <Button
        component="a"
        variant="light"
        href={openUrl}
        target="_blank"
        rel="noreferrer"
        aria-label={`Open WhatsApp, ${toName}`}
        onClick={() => open.mutate(id)}
      >
        Open
      </Button>
    );
  }
  return (
    <div className={classes.question} role="group" aria-label={`Sent to ${toName}?`}>
      <span aria-hidden="true">Sent?</span>
      <Button ref={yes} variant="light" disabled={settle.isPending} onClick={() => say('sent')}>
        Yes
      </Button>
      <Button variant="default" disabled={settle.isPending} onClick={() => say('not_yet')}>
        Not yet
      </Button>
    </div>
  );
}
