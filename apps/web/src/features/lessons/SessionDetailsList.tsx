import type { Currency } from '@lessonbook/contract/money';
import type { Session } from '@lessonbook/contract/sessions';
import { Link } from '@tanstack/react-router';
import { type Description, DescriptionList } from '../../components/DescriptionList.tsx';
import { formatAmount, formatLongDate, formatShortDate, formatTime12 } from '../../lib/format.ts';
import { SessionPayment } from './SessionPayment.tsx';
import { SessionStatusBadge } from './shared/SessionStatus.tsx';

/** An address as text, or a meeting link. */
export function LessonLocation({ place }: { place: string }) {
  if (!/^https?:\/\//i.test(place)) return place;
  return (
    <a href={place} target="_blank" rel="noreferrer">
      {place.replace(/^https?:\/\//i, '')}
    </a>
  );
}

/** All the details of one session. Times here are in 12-hour format ('4:00 PM'). */
export function SessionDetailsList({ session, today }: { session: Session; today: string }) {
  const { rescheduledTo, rescheduledFrom } = session;
  const items: Description[] = [
    { name: 'Date', value: formatLongDate(session.date) },
    {
      name: 'Time',
      value: `${formatTime12(session.startTime)} – ${formatTime12(session.endTime)}`,
    },
    { name: 'Duration', value: `${session.duration} minutes` },
    { name: 'Status', value: <SessionStatusBadge status={session.status} /> },
    { name: 'Attendance', value: session.attendance && attendanceLabels[session.attendance] },
    { name: 'Cancelled by', value: session.cancelledBy && cancelledByLabels[session.cancelledBy] },
    { name: 'Reason', value: session.cancelReason },
    {
      name: 'Rescheduled to',
      value: rescheduledTo && <SessionLink {...rescheduledTo} today={today} />,
    },
    {
      name: 'Rescheduled from',
      value: rescheduledFrom && <SessionLink {...rescheduledFrom} today={today} />,
    },
    { name: 'Fee', value: formatFee(session.fee, session.currency) },
    { name: 'Payment', value: <SessionPayment session={session} today={today} /> },
    { name: 'Invoice', value: session.invoice && <InvoiceLink {...session.invoice} /> },
    { name: 'Place', value: session.place && <LessonLocation place={session.place} /> },
    { name: 'Notes', value: session.notes },
    { name: 'Lesson', value: <LessonLink session={session} /> },
    { name: 'Account', value: session.familyId !== null && <AccountLink id={session.familyId} /> },
  ];
  return <DescriptionList items={items} />;
}

const attendanceLabels = { attended: 'Attended', late: 'Late', absent: 'Absent' } as const;
const cancelledByLabels = { tutor: 'You', student: 'The student', carer: 'The carer' } as const;

export const formatFee = (fee: number | null, currency: Currency): string =>
  fee === null ? 'Free lesson' : formatAmount(fee, currency);

type LinkedSession = NonNullable<Session['rescheduledTo']>;

function SessionLink({ id, date, startTime, today }: LinkedSession & { today: string }) {
  return (
    <Link to="/sessions/$id" params={{ id: String(id) }}>
      {formatShortDate(date, today)}, {formatTime12(startTime)}
    </Link>
  );
}

function LessonLink({ session }: { session: Session }) {
  return (
    <Link
      to="/lessons/$id"
      params={{ id: String(session.lessonId) }}
      search={{ session: session.id }}
    >
      View lesson
    </Link>
  );
}

function InvoiceLink({ id, number }: NonNullable<Session['invoice']>) {
  return (
    <Link to="/invoices/$id" params={{ id: String(id) }}>
      {number}
    </Link>
  );
}

function AccountLink({ id }: { id: number }) {
  return (
    <Link to="/families/$id" params={{ id: String(id) }}>
      View account
    </Link>
  );
}
