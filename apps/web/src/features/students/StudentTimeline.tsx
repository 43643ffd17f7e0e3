import { PAYMENT_METHOD_LABELS } from '@lessonbook/contract/payment-method-labels';
import type {
  TimelineEntry,
  TimelineFilter,
} from '@lessonbook/contract/student-overview-and-timeline';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LoadError, RowSkeleton, ShowMore } from '../../components/ListStates.tsx';
import { Timeline, type TimelineItem } from '../../components/Timeline.tsx';
import {
  firstName,
  formatAmount,
  formatShortDate,
  formatTime,
  shortWeekdayName,
} from '../../lib/format.ts';
import { studentTimelineQuery } from './api.ts';
import classes from './StudentOverviewSections.module.css';
import { formatDayMonth } from './student-format.ts';

interface Props {
  student: { id: number; name: string };
  show: TimelineFilter;
  today: string;
  /** Shown if there are no entries. */
  emptyText: string;
}

const LABELS: Record<TimelineFilter, string> = {
  all: 'Lessons, notes and money',
  notes: 'Notes on lessons',
  money: 'Charges, invoices and payments',
};

/** A student's history, newest first, with the next lesson at the top. */
export function StudentTimeline({ student, show, today, emptyText }: Props) {
  const list = useInfiniteQuery(studentTimelineQuery(student.id, show));
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <>
      {list.isPending && <RowSkeleton rows={4} />}
      {list.isSuccess && entries.length === 0 && <p className={classes.none}>{emptyText}</p>}
      {entries.length > 0 && (
        <Timeline
          label={LABELS[show]}
          items={entries.map((entry) => toItem(entry, student.name, today))}
        />
      )}
      {list.isError && (
        <LoadError
          onRetry={() => void (entries.length > 0 ? list.fetchNextPage() : list.refetch())}
        >
          We couldn't load the timeline.
        </LoadError>
      )}
      {!list.isError && <ShowMore list={list} />}
    </>
  );
}

type EntryOf<Kind extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: Kind }>;

function toItem(entry: TimelineEntry, studentName: string, today: string): TimelineItem {
  const { date } = entry;
  const isOtherYear = date.slice(0, 4) !== today.slice(0, 4);
  const weekday = `${shortWeekdayName(date)}${isOtherYear ? ` ${date.slice(0, 4)}` : ''}`;
  return {
    key: `${entry.kind} ${entry.id} ${date}`,
    date: formatDayMonth(date, date),
    weekday: date === today ? 'Today' : weekday,
    ...(entry.kind === 'lesson' && toLessonItem(entry, today)),
    ...(entry.kind === 'payment' && toPaymentItem(entry, studentName)),
    ...(entry.kind === 'invoice' && toInvoiceItem(entry, today)),
  } as TimelineItem;
}

function toLessonItem(lesson: EntryOf<'lesson'>, today: string) {
  const { id, subjectName, groupName, startTime, status, movedFrom, note, charged, fee, currency } =
    lesson;
  const isCancelled = status === 'cancelled';
  const amount = isCancelled ? charged : (charged ?? (status === 'scheduled' ? fee : null));
  return {
    mark: status === 'scheduled' && movedFrom ? ('moved' as const) : toMark(status),
    title: (
      <Link to="/sessions/$id" params={{ id: String(id) }}>
        {groupName ?? subjectName}, {formatTime(startTime)}
      </Link>
    ),
    text: [
      movedFrom &&
        `Moved from ${formatShortDate(movedFrom.date, today)}, ${formatTime(movedFrom.startTime)}`,
      isCancelled && formatCancellation(lesson),
      lesson.attendance === 'late' && 'Arrived late.',
      lesson.attendance === 'absent' && 'Absent.',
      note,
    ]
      .filter(Boolean)
      .join('\n'),
    amount: amount ? formatAmount(amount, currency) : undefined,
    state: formatLessonState(lesson, today),
  };
}

const toMark = (status: EntryOf<'lesson'>['status']) =>
  status === 'rescheduled' ? ('moved' as const) : status;

function formatCancellation({ cancelledBy, cancelReason, isTimeOff, charged }: EntryOf<'lesson'>) {
  const by = { tutor: 'by you', student: 'by the student', carer: 'by the family' };
  const how = isTimeOff
    ? 'Cancelled because of time off or a pause'
    : `Cancelled ${cancelledBy ? by[cancelledBy] : ''}`;
  const free = charged ? '' : ' No charge.';
  return `${[how.trim(), cancelReason].filter(Boolean).join(', ')}.${free}`;
}

function formatLessonState(lesson: EntryOf<'lesson'>, today: string) {
  const { status, charged, outstanding, invoice, date } = lesson;
  if (status === 'scheduled') return date < today ? 'To complete' : 'Scheduled';
  if (status === 'cancelled' && charged === null) return 'Cancelled';
  if (charged === 0) return 'Written off';
  if (!charged) return 'No charge';
  if (outstanding === 0) return <span className={classes.paid}>Paid</span>;
  if (!invoice) return outstanding === charged ? 'Unpaid' : 'Part paid';
  return (
    <Link to="/invoices/$id" params={{ id: String(invoice.id) }}>
      On invoice {invoice.number}
    </Link>
  );
}

function toPaymentItem(payment: EntryOf<'payment'>, studentName: string) {
  const { id, isRefund, method, amount, total, currency, familyId, familyName } = payment;
  const kind = isRefund ? 'refund' : 'payment';
  const share = `${firstName(studentName)}'s share of ${firstName(familyName)}'s ${kind} of ${formatAmount(total, currency)}`;
  return {
    mark: 'money' as const,
    title: (
      <Link to="/families/$id" params={{ id: String(familyId) }} search={{ payment: id }}>
        {isRefund ? 'Refund' : 'Payment'}, {PAYMENT_METHOD_LABELS[method].toLowerCase()}
      </Link>
    ),
    text: amount === total ? `${isRefund ? 'To' : 'From'} ${familyName}` : share,
    amount: formatAmount(isRefund ? -amount : amount, currency),
  };
}

function toInvoiceItem(invoice: EntryOf<'invoice'>, today: string) {
  const { id, number, isCreditNote, amount, outstanding, currency, dueOn } = invoice;
  const isOpen = outstanding > 0 && !isCreditNote;
  const isOverdue = isOpen && dueOn !== null && dueOn < today;
  return {
    mark: 'money' as const,
    title: (
      <Link to="/invoices/$id" params={{ id: String(id) }}>
        {isCreditNote ? 'Credit note' : 'Invoice'} {number}
      </Link>
    ),
    text: isOpen && dueOn ? `Due ${formatShortDate(dueOn, today)}` : undefined,
    amount: formatAmount(amount, currency),
    state: isOverdue ? (
      <span className={classes.overdue}>Overdue</span>
    ) : isOpen ? (
      'Unpaid'
    ) : isCreditNote ? undefined : (
      <span className={classes.paid}>Paid</span>
    ),
  };
}
