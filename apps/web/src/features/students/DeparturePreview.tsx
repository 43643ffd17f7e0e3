import type {
  DeparturePreview,
  LeavingFamily,
  LeavingStudent,
} from '@lessonbook/contract/departures';
import { lessonLabel } from '@lessonbook/contract/lesson-names';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { Link } from '@tanstack/react-router';
import {
  formatAmount,
  formatList,
  formatShortDate,
  formatTime,
  formatTotals,
  pluralize,
} from '../../lib/format.ts';
import classes from './DeparturePreview.module.css';

const MAX_LESSONS = 6;

interface LessonsProps {
  /** Undefined while it loads. */
  preview: DeparturePreview | undefined;
  isSingle: boolean;
  today: string;
}

/** The lessons that are cancelled; of several students, one line each. */
export function DepartureLessons({ preview, isSingle, today }: LessonsProps) {
  if (!preview) return <p role="status">Checking which lessons change...</p>;
  const [first] = preview.students;
  return (
    <section className={classes.box} aria-label="Lessons">
      <p role="status">{formatImpact(preview.students)}</p>
      {isSingle && first ? (
        <SessionList student={first} today={today} />
      ) : (
        <ul>
          {preview.students.map(({ student, cancelled }) => (
            <li key={student.id} className={classes.line}>
              <b>{student.name}</b>
              <span>
                {cancelled.length === 0
                  ? 'No lessons after it'
                  : `${pluralize(cancelled.length, 'lesson')}, from ${formatShortDate(cancelled[0]?.date ?? today, today)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function formatImpact(students: readonly LeavingStudent[]): string {
  const count = (key: 'cancelled' | 'charged' | 'restored') =>
    students.reduce((sum, student) => sum + student[key].length, 0);
  const hasGroups = students.some(({ cancelled }) =>
    cancelled.some((row) => row.students.length > 1),
  );
  const overlaps = students.reduce((sum, student) => sum + student.overlaps.length, 0);
  return [
    count('cancelled') > 0 &&
      `${pluralize(count('cancelled'), 'lesson')} will be cancelled free of charge.`,
    hasGroups && 'Groups go on for the others.',
    count('charged') > 0 &&
      `${pluralize(count('charged'), 'lesson')} will be cancelled and charged.`,
    count('restored') > 0 && `${pluralize(count('restored'), 'lesson')} will go ahead again.`,
    overlaps > 0 && `${pluralize(overlaps, 'overlap')} with another lesson.`,
    count('cancelled') + count('charged') + count('restored') === 0 && 'No lessons will change.',
  ]
    .filter(Boolean)
    .join(' ');
}

function SessionList({
  student: { cancelled, charged, restored },
  today,
}: {
  student: LeavingStudent;
  today: string;
}) {
  const rows = [
    ...cancelled.map((session) => ({ session, effect: 'Free' })),
    ...charged.map(({ session, amount, currency }) => ({
      session,
      effect: `${formatAmount(amount, currency)} charged`,
    })),
    ...restored.map((session) => ({ session, effect: 'Takes place' })),
  ].toSorted((a, b) => sortKey(a.session).localeCompare(sortKey(b.session)));
  const others = rows.length - MAX_LESSONS;
  return (
    <ul>
      {rows.slice(0, MAX_LESSONS).map(({ session, effect }) => (
        <li key={session.id} className={classes.line}>
          <b>
            {formatShortDate(session.date, today)}, {formatTime(session.startTime)}
          </b>
          <span>{lessonLabel(session)}</span>
          <em>{effect}</em>
        </li>
      ))}
      {others > 0 && <li className={classes.line}>and {pluralize(others, 'more lesson')}</li>}
    </ul>
  );
}

const sortKey = ({ date, startTime }: SessionRow): string => `${date} ${startTime}`;

interface FamiliesProps {
  families: readonly LeavingFamily[];
  drafts: boolean;
}

/** What is open with each family, and the message to it. */
export function DepartureFamilies({ families, drafts }: FamiliesProps) {
  return (
    <section className={classes.families} aria-label="Families">
      {families.map((family) => (
        <div key={family.familyId} className={classes.family}>
          <p>
            <b>{family.name}</b> ({formatList(family.students)})
          </p>
          <p>
            {formatMoney(family)}{' '}
            <Link to="/families/$id" params={{ id: String(family.familyId) }}>
              {hasCredit(family) ? 'Refund in the account' : 'Open the account'}
            </Link>
          </p>
          {drafts && family.message && <Message message={family.message} />}
        </div>
      ))}
    </section>
  );
}

function Message({ message }: { message: NonNullable<LeavingFamily['message']> }) {
  if (message.problem) return <p className={classes.error}>{message.problem}</p>;
  return (
    <details>
      <summary>
        Message to {message.toName}, {message.address}
      </summary>
      <p>{message.text}</p>
    </details>
  );
}

const hasCredit = ({ balances }: LeavingFamily): boolean =>
  balances.some(({ credit }) => credit > 0);

/** '£70 unpaid. £70 for 2 lessons not invoiced yet.' */
function formatMoney({ balances, uninvoiced }: LeavingFamily): string {
  const total = (key: 'owed' | 'credit') =>
    formatTotals(balances.map((balance) => ({ ...balance, minor: balance[key] })));
  const owed = balances.some((balance) => balance.owed > 0);
  const parts = [
    owed && `${total('owed')} unpaid.`,
    balances.some(({ credit }) => credit > 0) && `${total('credit')} credit to refund.`,
    ...uninvoiced.map(
      ({ amount, currency, lessons }) =>
        `${formatAmount(amount, currency)} for ${pluralize(lessons, 'lesson')} not invoiced yet.`,
    ),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : 'Nothing unpaid, no credit.';
}
