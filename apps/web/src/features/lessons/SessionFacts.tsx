import { type Currency, toMinor } from '@lessonbook/contract/money';
import type { Session } from '@lessonbook/contract/sessions';
import { Link } from '@tanstack/react-router';
import { type Fact, FactList } from '../../components/FactList.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { clock12, longDate, money, shortDate } from '../../lib/format.ts';
import { Place } from './Place.tsx';
import { SessionPayment } from './SessionPayment.tsx';

/** Everything about one session. Here times are said as families say them: '4:00 PM'. */
export function SessionFacts({ session, today }: { session: Session; today: string }) {
  const { rescheduledTo, rescheduledFrom } = session;
  const facts: Fact[] = [
    { name: 'Date', value: longDate(session.date) },
    { name: 'Time', value: `${clock12(session.startTime)} – ${clock12(session.endTime)}` },
    { name: 'Duration', value: `${session.duration} minutes` },
    { name: 'Status', value: <StatusBadge status={session.status} /> },
    { name: 'Attendance', value: session.attendance && attendance[session.attendance] },
    { name: 'Cancelled by', value: session.cancelledBy && canceller[session.cancelledBy] },
    { name: 'Reason', value: session.cancelReason },
    { name: 'Rescheduled to', value: rescheduledTo && <Linked {...rescheduledTo} today={today} /> },
    {
      name: 'Rescheduled from',
      value: rescheduledFrom && <Linked {...rescheduledFrom} today={today} />,
    },
    { name: 'Fee', value: feeInWords(session.fee, session.currency) },
    { name: 'Payment', value: <SessionPayment session={session} today={today} /> },
    { name: 'Invoice', value: session.invoice && <ToInvoice {...session.invoice} /> },
    { name: 'Place', value: session.place && <Place place={session.place} /> },
    { name: 'Notes', value: session.notes },
    { name: 'Lesson', value: <ToLesson session={session} /> },
    { name: 'Account', value: session.familyId !== null && <ToAccount id={session.familyId} /> },
  ];
  return <FactList facts={facts} />;
}

const attendance = { attended: 'Attended', late: 'Late', absent: 'Absent' } as const;
const canceller = { tutor: 'You', student: 'The student', carer: 'The carer' } as const;

export const feeInWords = (fee: number | null, currency: Currency): string =>
  fee === null ? 'Free lesson' : money(toMinor(fee), currency);

type Other = NonNullable<Session['rescheduledTo']>;

function Linked({ id, date, startTime, today }: Other & { today: string }) {
  return (
    <Link to="/sessions/$id" params={{ id: String(id) }}>
      {shortDate(date, today)}, {clock12(startTime)}
    </Link>
  );
}

function ToLesson({ session }: { session: Session }) {
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

function ToInvoice({ id, number }: NonNullable<Session['invoice']>) {
  return (
    <Link to="/invoices/$id" params={{ id: String(id) }}>
      {number}
    </Link>
  );
}

function ToAccount({ id }: { id: number }) {
  return (
    <Link to="/families/$id" params={{ id: String(id) }}>
      View account
    </Link>
  );
}
