import type {
  DeparturePreview,
  LeavingFamily,
  LeavingSession,
  LeavingStudent,
} from '@lessonbook/contract/student-departures';
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
  /** Undefined while the preview loads. */
  preview: DeparturePreview | undefined;
  isSingle: boolean;
  today: string;
}

/** The lessons that will change or, for several students, one line per student. */
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
                  ? 'No lessons after that day'
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
  const hasGroups = students.some(({ cancelled }) => cancelled.some((session) => session.isGroup));
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
          <span>{session.label}</span>
          <em>{effect}</em>
        </li>
      ))}
      {others > 0 && <li className={classes.line}>and {pluralize(others, 'more lesson')}</li>}
    </ul>
  );
}

const sortKey = ({ date, startTime }: LeavingSession): string => `${date} ${startTime}`;

interface FamiliesProps {
  families: readonly LeavingFamily[];
  drafts: boolean;
}

/** Each family's unsettled amounts, and the message to the family. */
export function DepartureFamilies({ families, drafts }: FamiliesProps) {
  return (
    <section className={classes.families} aria-label="Families">
      {families.map((family) => (
        <div key={family.familyId} className={classes.family}>
          <p>
            <b>{family.name}</b> ({formatList(family.students)})
          </p>
          <p>
            {formatUnsettledAmounts(family)}
            {hasUnsettledAmounts(family) && (
              <>
                {' '}
                <Link to="/families/$id" params={{ id: String(family.familyId) }}>
                  {hasCredit(family) ? 'Refund in the account' : 'Open the account'}
                </Link>
              </>
            )}
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

const hasUnsettledAmounts = ({ balances, uninvoiced }: LeavingFamily): boolean =>
  uninvoiced.length > 0 || balances.some(({ owed, credit }) => owed > 0 || credit > 0);

/** '£20 credit to refund. £70 unpaid, including £35 for 1 lesson not invoiced yet.' */
function formatUnsettledAmounts(family: LeavingFamily): string {
  const credits = family.balances.filter(({ credit }) => credit > 0);
  const parts = [
    credits.length > 0 &&
      `${formatTotals(credits.map((each) => ({ ...each, minor: each.credit })))} credit to refund`,
    ...describeUnpaid(family),
  ].filter(Boolean);
  return parts.length > 0 ? `${parts.join('. ')}.` : 'Nothing unpaid, no credit.';
}

/** Lessons that are not invoiced yet are part of the unpaid amount, unless they were paid for in advance. */
function describeUnpaid({ balances, uninvoiced }: LeavingFamily): string[] {
  const owed = balances.filter((balance) => balance.owed > 0);
  const notInvoiced = uninvoiced.map(
    ({ amount, currency, lessons }) =>
      `${formatAmount(amount, currency)} for ${pluralize(lessons, 'lesson')} not invoiced yet`,
  );
  if (owed.length === 0) return notInvoiced;
  const unpaid = `${formatTotals(owed.map((each) => ({ ...each, minor: each.owed })))} unpaid`;
  const [balance, ...otherBalances] = owed;
  const [part, ...otherParts] = uninvoiced;
  const isSingle = otherBalances.length + otherParts.length === 0;
  if (!isSingle || !part || part.currency !== balance?.currency || part.amount > balance.owed)
    return [unpaid, ...notInvoiced];
  if (part.amount === balance.owed) return notInvoiced;
  return [`${unpaid}, including ${notInvoiced.join()}`];
}
