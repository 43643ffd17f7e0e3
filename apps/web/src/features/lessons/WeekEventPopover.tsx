import { lessonLabel } from '@lessonbook/contract/lesson-names';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { Button, Popover } from '@mantine/core';
import { type CSSProperties, useId } from 'react';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { useCloseOnBack } from '../../lib/close-on-back.ts';
import { formatShortDate, formatTimeRange } from '../../lib/format.ts';
import type { SessionModal } from './SessionModals.tsx';
import { SessionStatus } from './shared/SessionStatus.tsx';
import classes from './WeekView.module.css';

interface Props {
  session: SessionRow;
  today: string;
  /** The position of the event. */
  style: CSSProperties;
  onAction: (modal: SessionModal) => void;
  onClose: () => void;
}

/** The details of a lesson, with its actions. */
export function WeekEventPopover({ session, today, style, onAction, onClose }: Props) {
  const headingId = useId();
  useCloseOnBack(true, onClose);
  const { date, startTime, endTime, place, isRecurring, status } = session;
  return (
    <Popover
      opened
      onChange={(opened) => {
        if (!opened) onClose();
      }}
      position="right-start"
      width={288}
      radius="lg"
      shadow="md"
      trapFocus
      withinPortal
    >
      <Popover.Target>
        <span className={classes.anchor} style={style} />
      </Popover.Target>
      <Popover.Dropdown className={classes.popover ?? ''} aria-labelledby={headingId}>
        <h3 id={headingId}>{lessonLabel(session)}</h3>
        <p>
          {formatShortDate(date, today)}, {formatTimeRange(startTime, endTime)}
          {isRecurring && ', repeats'}
        </p>
        {place && <p className={classes.place}>{place}</p>}
        <SessionStatus session={session} />
        <div className={classes.actions}>
          {status === 'scheduled' && (
            <>
              <Button size="sm" onClick={() => onAction('complete')}>
                Complete
              </Button>
              <Button size="sm" variant="default" onClick={() => onAction('move')}>
                Move
              </Button>
              <Button size="sm" variant="default" onClick={() => onAction('cancel')}>
                Cancel lesson
              </Button>
            </>
          )}
          {(status === 'completed' || status === 'cancelled') && (
            <Button size="sm" variant="default" onClick={() => onAction('reopen')}>
              Reopen
            </Button>
          )}
          <ButtonLink
            size="sm"
            variant="subtle"
            to="/sessions/$id"
            params={{ id: String(session.id) }}
          >
            View lesson
          </ButtonLink>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
