import type { SessionRow } from '@lessonbook/contract/sessions';
import type { SubjectColor } from '@lessonbook/contract/subjects';
import { Button } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { ReactNode, Ref } from 'react';
import { formatTime, initials, splitLessonTitle } from '../../../lib/format.ts';
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
}

/** A lesson in a list: start and end time, student, subject, status and one action. */
export function LessonRow({ session, color, when, note, movedTo, action }: LessonRowProps) {
  const { head } = splitLessonTitle(session.title);
  return (
    <li className={classes.row} data-status={session.status}>
      <LessonTime start={session.startTime} end={session.endTime} />
      <SubjectAvatar initials={initials(head)} color={color} />
      <LessonName session={session} {...(when && { when })} />
      {action}
      <div className={classes.state}>
        {note ?? <SessionStatus session={session} movedTo={movedTo} />}
      </div>
    </li>
  );
}

export function LessonTime({ start, end }: { start: string; end: string }) {
  return (
    <span className={classes.time}>
      <b>{formatTime(start)}</b>
      <span className={classes.hidden}>–</span>
      <small>{formatTime(end)}</small>
    </span>
  );
}

/**
 * 'Maya Okafor' above 'Maths', or a custom title above the student and subject. Hidden separators make the text content
 * read as the title.
 */
export function LessonName({ session, when }: { session: SessionRow; when?: string }) {
  const { head, rest } = splitLessonTitle(session.title);
  const isCustom = head !== session.studentName;
  const subtitle = isCustom ? `${session.studentName}, ${session.subjectName}` : rest;
  return (
    <p className={classes.name}>
      <b>{isCustom ? session.title : head}</b>
      {subtitle && (
        <>
          <span className={classes.hidden}>{isCustom ? ', ' : ' - '}</span>
          <small>
            <span>
              {subtitle}
              {when && ','}
            </span>
            {when && <span> {when}</span>}
          </small>
        </>
      )}
    </p>
  );
}

/** The class of a link that covers the whole row. */
export const rowActionClass = classes.link ?? '';
