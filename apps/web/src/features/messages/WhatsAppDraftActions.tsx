import type { Message } from '@lessonbook/contract/messages';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useMarkMessageOpened, useSetMessageOutcome } from './api.ts';
import classes from './Messages.module.css';

/** Why the draft cannot be opened, with a link to fix the number. */
export function InvalidNumberWarning({
  message: { problem, openUrl, familyId, toName },
}: InvalidNumberProps) {
  if (openUrl) return null;
  const linkProps = { children: 'Fix number', 'aria-label': `Fix number, ${toName}` };
  return (
    <p className={classes.problem}>
      {problem ?? "This number doesn't work with WhatsApp."}{' '}
      {familyId === null ? (
        <Link to="/schedule" search={{ view: 'students' }} {...linkProps} />
      ) : (
        <Link to="/families/$id" params={{ id: String(familyId) }} {...linkProps} />
      )}
    </p>
  );
}

interface InvalidNumberProps {
  message: Message;
}

/** 'Open' and, once opened, 'Mark as sent': WhatsApp does not report what the tutor sends. */
export function WhatsAppDraftActions({ message }: { message: Message }) {
  const { id, toName, openUrl, state } = message;
  const open = useMarkMessageOpened();
  const resolve = useSetMessageOutcome();
  const sentButton = useRef<HTMLButtonElement>(null);
  const isOpened = state === 'opened';
  const wasOpened = useRef(isOpened);

  useEffect(() => {
    // The pressed link is unmounted, so focus moves to the question.
    if (isOpened && !wasOpened.current) sentButton.current?.focus();
    wasOpened.current = isOpened;
  }, [isOpened]);

  const setOutcome = (outcome: 'sent' | 'not_yet') =>
    resolve.mutate({ params: { id }, body: { outcome } });

  if (!openUrl) return null;
  if (!isOpened) {
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
      <Button
        ref={sentButton}
        variant="light"
        disabled={resolve.isPending}
        onClick={() => setOutcome('sent')}
      >
        Mark as sent
      </Button>
      <Button variant="default" disabled={resolve.isPending} onClick={() => setOutcome('not_yet')}>
        Not yet
      </Button>
    </div>
  );
}
