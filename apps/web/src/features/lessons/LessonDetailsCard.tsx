import type { Lesson, LessonDetails } from '@lessonbook/contract/lessons';
import { toMinor } from '@lessonbook/contract/money';
import type { SubjectColor } from '@lessonbook/contract/subjects';
import { Link } from '@tanstack/react-router';
import { Card } from '../../components/Card.tsx';
import { type Description, DescriptionList } from '../../components/DescriptionList.tsx';
import {
  formatAmount,
  formatDateWithYear,
  formatShortDate,
  formatTime,
  initials,
  pluralize,
  splitLessonTitle,
  weekdayName,
} from '../../lib/format.ts';
import { SubjectAvatar } from '../subjects/shared/SubjectAvatar.tsx';
import classes from './LessonDetailsCard.module.css';
import { formatFee, LessonLocation } from './SessionDetailsList.tsx';
import { SessionStatusBadge } from './shared/SessionStatus.tsx';
import { useSessionColors } from './use-session-colors.ts';

interface Props {
  lesson: { title: string; studentName: string; subjectName: string };
  color: SubjectColor;
}

/** The page header with the avatar, title, student and subject. */
export function LessonHeader({ lesson, color }: Props) {
  const { head } = splitLessonTitle(lesson.title);
  return (
    <div className={classes.identity}>
      <SubjectAvatar initials={initials(head)} color={color} />
      <div className={classes.titles}>
        <h2>{lesson.title}</h2>
        {/* The default title already contains both. */}
        {head !== lesson.studentName && (
          <p>
            {lesson.studentName}, {lesson.subjectName}
          </p>
        )}
      </div>
    </div>
  );
}

type Recurrence = Pick<
  Lesson,
  'date' | 'startTime' | 'endTime' | 'isRecurring' | 'recurringPattern' | 'recurringEndDate'
>;

/** 'Every Tuesday, 16:00 to 17:00, until 15 Dec 2026' */
export function formatRecurrence(lesson: Recurrence, today: string): string {
  const time = `${formatTime(lesson.startTime)} to ${formatTime(lesson.endTime)}`;
  if (!lesson.isRecurring) return `${formatShortDate(lesson.date, today)}, ${time}`;
  const until = lesson.recurringEndDate
    ? `, until ${formatDateWithYear(lesson.recurringEndDate)}`
    : '';
  return `${patternFormats[lesson.recurringPattern](lesson.date)}, ${time}${until}`;
}

const patternFormats: Record<Lesson['recurringPattern'], (first: string) => string> = {
  weekly: (first) => `Every ${weekdayName(first)}`,
  biweekly: (first) => `Every second ${weekdayName(first)}`,
  monthly: (first) => `Every month on the ${ordinal(Number(first.slice(8)))}`,
};

function ordinal(day: number): string {
  const ending = ['th', 'st', 'nd', 'rd'][day % 10];
  return `${day}${day > 10 && day < 14 ? 'th' : (ending ?? 'th')}`;
}

export function LessonDetailsCard({ lesson, today }: { lesson: LessonDetails; today: string }) {
  const colorOf = useSessionColors();
  const anySession = lesson.upcoming[0] ?? lesson.past[0];
  const previousId = lesson.continuesLessonId;
  const items: Description[] = [
    { name: 'When', value: formatRecurrence(lesson, today) },
    {
      name: 'Fee',
      value: formatFee(lesson.fee === null ? null : toMinor(lesson.fee), lesson.currency),
    },
    { name: 'Place', value: lesson.place && <LessonLocation place={lesson.place} /> },
    { name: 'Notes', value: lesson.notes },
    { name: 'Status', value: <SessionStatusBadge status={lesson.status} /> },
    { name: 'Sessions', value: formatSessionCounts(lesson.counts) },
    {
      name: 'Money so far',
      value: lesson.money.length > 0 && <MoneyTotals money={lesson.money} />,
    },
    { name: 'Continues', value: previousId !== null && <PreviousLessonLink id={previousId} /> },
  ];
  return (
    <Card>
      <LessonHeader lesson={lesson} color={anySession ? colorOf(anySession) : 'stone'} />
      <DescriptionList items={items} />
    </Card>
  );
}

/** Link to the lesson that this one was split from. */
function PreviousLessonLink({ id }: { id: number }) {
  return (
    <Link to="/lessons/$id" params={{ id: String(id) }}>
      An earlier lesson
    </Link>
  );
}

function formatSessionCounts(counts: LessonDetails['counts']): string {
  const parts = [
    `${counts.completed} taught`,
    `${counts.scheduled} scheduled`,
    counts.cancelled > 0 && `${counts.cancelled} cancelled`,
  ];
  const total = counts.completed + counts.scheduled + counts.cancelled;
  return `${pluralize(total, 'session')}: ${parts.filter(Boolean).join(', ')}`;
}

/** One line per currency; unpaid amounts are stated in text, not only by colour. */
function MoneyTotals({ money: amounts }: { money: LessonDetails['money'] }) {
  return amounts.map(({ currency, charged, outstanding }) => (
    <span key={currency}>
      {formatAmount(charged, currency)} charged
      {outstanding > 0 ? `, ${formatAmount(outstanding, currency)} unpaid` : ', all paid'}
      {'\n'}
    </span>
  ));
}
