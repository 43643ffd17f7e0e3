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
  /** The lesson it is for, so that ten links of a list are not ten times 'Details'. */
  of: string;
  look?: 'subtle' | 'light';
  /** Long words give way to a chevron on phones; the name stays the same. */
  short?: boolean;
  ref?: Ref<HTMLAnchorElement>;
}

function RowActionAnchor({ label, of, look = 'subtle', short = true, ...anchor }: RowActionProps) {
  return (
    <Button
      component="a"
      variant={look}
      className={`${rowActionClass} ${classes.action}`}
      aria-label={`${label}, ${of}`}
      data-short={short || undefined}
      {...anchor}
    >
      <span className={classes.words}>{label}</span>
      <IconChevronRight size={18} stroke={1.8} className={classes.chevron} />
    </Button>
  );
}

/** The one action of a row. It covers the row, so a tap anywhere on it counts. */
export const RowAction = createLink(RowActionAnchor);

interface LessonRowProps {
  session: SessionRow;
  tone: SubjectColor;
  /** Behind the subject: 'Piano, today'. */
  when?: string;
  /** Stands in place of the state: what this list is about. */
  note?: ReactNode;
  /** Where a moved lesson went, once known. */
  movedTo?: string | undefined;
  /** Exactly one; a link with the class of `rowLink` makes the whole row its target. */
  action: ReactNode;
}

/** Time over end time, the margin rule, who over what, one action: a lesson in every list of the app. */
export function LessonRow({ session, tone, when, note, movedTo, action }: LessonRowProps) {
  const { head } = splitLessonTitle(session.title);
  return (
    <li className={classes.row} data-status={session.status}>
      <LessonTime start={session.startTime} end={session.endTime} />
      <SubjectAvatar letters={initials(head)} tone={tone} />
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
 * 'Maya Okafor' over 'Maths'. Read as one it is the title itself; a title of the tutor's own stands over student and
 * subject.
 */
export function LessonName({ session, when }: { session: SessionRow; when?: string }) {
  const { head, rest } = splitLessonTitle(session.title);
  const own = head !== session.studentName;
  const below = own ? `${session.studentName}, ${session.subjectName}` : rest;
  return (
    <p className={classes.name}>
      <b>{own ? session.title : head}</b>
      {below && (
        <>
          <span className={classes.hidden}>{own ? ', ' : ' - '}</span>
          <small>
            <span>
              {below}
              {when && ','}
            </span>
            {when && <span> {when}</span>}
          </small>
        </>
      )}
    </p>
  );
}

/** For the row's link: it covers the whole row, and the text inside gives way to a chevron on phones. */
export const rowActionClass = classes.link ?? '';
