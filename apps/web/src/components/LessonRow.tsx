import type { SessionRow } from '@lessonbook/contract/sessions';
import type { Tone } from '@lessonbook/contract/subjects';
import type { ReactNode } from 'react';
import { clock, initials, titleParts } from '../lib/format.ts';
import classes from './LessonRow.module.css';
import { SessionState } from './SessionState.tsx';
import { ToneSquare } from './ToneSquare.tsx';

interface Props {
  session: SessionRow;
  tone: Tone;
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
export function LessonRow({ session, tone, when, note, movedTo, action }: Props) {
  const { head } = titleParts(session.title);
  return (
    <li className={classes.row} data-status={session.status}>
      <LessonTime start={session.startTime} end={session.endTime} />
      <ToneSquare letters={initials(head)} tone={tone} />
      <LessonName session={session} {...(when && { when })} />
      {action}
      <div className={classes.state}>
        {note ?? <SessionState session={session} movedTo={movedTo} />}
      </div>
    </li>
  );
}

export function LessonTime({ start, end }: { start: string; end: string }) {
  return (
    <span className={classes.time}>
      <b>{clock(start)}</b>
      <span className={classes.hidden}>–</span>
      <small>{clock(end)}</small>
    </span>
  );
}

/**
 * 'Maya Okafor' over 'Maths'. Read as one it is the title itself; a title of the tutor's own stands over student and
 * subject.
 */
export function LessonName({ session, when }: { session: SessionRow; when?: string }) {
  const { head, rest } = titleParts(session.title);
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
export const rowLink = classes.link ?? '';
