import {
  customTitle,
  groupSize,
  isGroup,
  shortLessonName,
} from '@lessonbook/contract/lesson-names';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { SubjectColor } from '@lessonbook/contract/subjects';
import { Button } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { ReactNode, Ref } from 'react';
import { formatEndTime, formatTime, initials } from '../../../lib/format.ts';
import { SubjectAvatar } from '../../subjects/shared/SubjectAvatar.tsx';
import classes from './LessonRow.module.css';
import { SessionStatus } from './SessionStatus.tsx';

interface RowActionProps {
  /** 'Details' */
  label: string;
  /** What the link is for, so that links in a list have distinct accessible names. */
  itemName: string;
  variant?: 'subtle' | 'light';
  /** On phones a chevron replaces the text; the accessible name stays the same. */
  isCompactOnPhone?: boolean;
  ref?: Ref<HTMLAnchorElement>;
}

function RowActionAnchor({
  label,
  itemName,
  variant = 'subtle',
  isCompactOnPhone = true,
  ...anchor
}: RowActionProps) {
  return (
    <Button
      component="a"
      variant={variant}
      className={`${rowActionClass} ${classes.action}`}
      aria-label={`${label}, ${itemName}`}
      data-short={isCompactOnPhone || undefined}
      {...anchor}
    >
      <span className={classes.label}>{label}</span>
      <IconChevronRight size={18} stroke={1.8} className={classes.chevron} />
    </Button>
  );
}

/** A row's action. It covers the row, so that the whole row is the target. */
export const RowAction = createLink(RowActionAnchor);

interface LessonRowProps {
  session: SessionRow;
  color: SubjectColor;
  /** Shown after the subject: 'Piano, today'. */
  when?: string;
  /** Replaces the status. */
  note?: ReactNode;
  /** The new time of a rescheduled lesson, once loaded. */
  movedTo?: string | undefined;
  /** Exactly one action. A link with `rowActionClass` covers the whole row. */
  action: ReactNode;
  /** A button above the link that covers the row, while the lesson is in progress. */
  inProgressAction?: ReactNode;
}

/** A lesson in a list: start and end time, student, subject, status and one action. */
export function LessonRow({
  session,
  color,
  when,
  note,
  movedTo,
  action,
  inProgressAction,
}: LessonRowProps) {
  return (
    <li className={classes.row} data-status={session.status}>
      <LessonTime start={session.startTime} end={session.endTime} />
      <LessonAvatar session={session} color={color} />
      <LessonName session={session} {...(when && { when })} />
      {action}
      <div className={classes.state}>
        {note ?? <SessionStatus session={session} movedTo={movedTo} />}
        {inProgressAction && <div className={classes.goingOn}>{inProgressAction}</div>}
      </div>
    </li>
  );
}

/** The initials of the student, or an icon for a group. */
export const LessonAvatar = ({ session, color }: Pick<LessonRowProps, 'session' | 'color'>) => (
  <SubjectAvatar
    color={color}
    {...(!isGroup(session) && { initials: initials(session.studentName) })}
  />
);

export function LessonTime({ start, end }: { start: string; end: string }) {
  return (
    <span className={classes.time}>
      <b>{formatTime(start)}</b>
      <span className={classes.hidden}>–</span>
      <small>{formatEndTime(end)}</small>
    </span>
  );
}

/**
 * 'Maya Okafor' above 'Maths', or above the typed title and the subject; 'Year 11 maths · 4' for a group. A hidden separator
 * divides the two lines for screen readers.
 */
export function LessonName({ session, when }: { session: SessionRow; when?: string }) {
  const typed = !isGroup(session) && customTitle(session);
  return (
    <p className={classes.name}>
      {isGroup(session) ? (
        <b className={classes.group}>
          <span>{shortLessonName(session)}</span> <i>· {groupSize(session)}</i>
        </b>
      ) : (
        <b>{session.studentName}</b>
      )}
      <span className={classes.hidden}> - </span>
      <small>
        <span>
          {typed ? `${typed}, ${session.subjectName}` : session.subjectName}
          {when && ','}
        </span>
        {when && <span> {when}</span>}
      </small>
    </p>
  );
}

/** The class of a link that covers the whole row. */
export const rowActionClass = classes.link ?? '';
