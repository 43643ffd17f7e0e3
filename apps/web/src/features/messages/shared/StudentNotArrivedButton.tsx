import { formatTime12 } from '@lessonbook/contract/format-time';
import { lessonLabel } from '@lessonbook/contract/lesson-names';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { dateInZone, systemNow } from '@lessonbook/contract/time';
import { Button, type ButtonProps } from '@mantine/core';
import { lazy, useState } from 'react';
import { Card } from '../../../components/Card.tsx';
import { LazyMount } from '../../../components/LazyMount.tsx';
import { useDateContext } from '../../accounts/api.ts';
import { isInProgress } from '../../lessons/shared/session-timing.ts';
import { useNow } from '../../lessons/shared/use-now.ts';
import classes from './StudentNotArrivedButton.module.css';

const StudentNotArrivedModal = lazy(async () => ({
  default: (await import('../StudentNotArrivedModal.tsx')).StudentNotArrivedModal,
}));

/** Shown while the lesson is in progress. Lets the tutor message the carer of a student who hasn't arrived. */
export function StudentNotArrivedButton({ session }: { session: SessionRow }) {
  const { isShown, ...button } = useNotArrived(session);
  return isShown && <OpenModalButton session={session} size="compact-md" {...button} />;
}

/** The same action on the lesson's page. */
export function StudentNotArrivedCard({ session }: { session: SessionRow }) {
  const { isShown, ...button } = useNotArrived(session);
  if (!isShown) return null;
  return (
    <Card>
      <section className={classes.goingOn} aria-label="Going on now">
        <p>
          <b>Going on now</b> until {formatTime12(session.endTime)}
        </p>
        <OpenModalButton session={session} {...button} />
      </section>
    </Card>
  );
}

function useNotArrived(session: SessionRow) {
  const { timeZone } = useDateContext();
  const [isOpen, setIsOpen] = useState(false);
  const now = useNow(timeZone, dateInZone(timeZone, systemNow()));
  // The modal stays open when the lesson ends, because a WhatsApp message may still be shown.
  return { isShown: isOpen || isInProgress(session, now), isOpen, setIsOpen };
}

interface OpenModalButtonProps extends Pick<ButtonProps, 'size'> {
  session: SessionRow;
  isOpen: boolean;
  setIsOpen: (isOpen: boolean) => void;
}

function OpenModalButton({ session, isOpen, setIsOpen, ...button }: OpenModalButtonProps) {
  const dateContext = useDateContext();
  return (
    <>
      <Button
        variant="light"
        aria-label={`Hasn't arrived, ${lessonLabel(session)}`}
        onClick={() => setIsOpen(true)}
        {...button}
      >
        Hasn't arrived
      </Button>
      <LazyMount opened={isOpen}>
        <StudentNotArrivedModal
          sessionId={session.id}
          dateContext={dateContext}
          opened={isOpen}
          onClose={() => setIsOpen(false)}
        />
      </LazyMount>
    </>
  );
}
