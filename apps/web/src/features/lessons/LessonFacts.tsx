import type { LessonDetails } from '@lessonbook/contract/lessons';
import { Link } from '@tanstack/react-router';
import { type Fact, FactList } from '../../components/FactList.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { count, money } from '../../lib/format.ts';
import { LessonIdentity } from './LessonIdentity.tsx';
import { Place } from './Place.tsx';
import { recurrenceInWords } from './recurrence-words.ts';
import { feeInWords } from './SessionFacts.tsx';
import { useTones } from './tones.ts';

/** The arrangement: who, what, when, how often, for how much, and what has come of it so far. */
export function LessonFacts({ lesson, today }: { lesson: LessonDetails; today: string }) {
  const toneOf = useTones();
  const one = lesson.coming[0] ?? lesson.past[0];
  const before = lesson.continuesLessonId;
  const facts: Fact[] = [
    { name: 'When', value: recurrenceInWords(lesson, today) },
    { name: 'Fee', value: feeInWords(lesson.fee, lesson.currency) },
    { name: 'Place', value: lesson.place && <Place place={lesson.place} /> },
    { name: 'Notes', value: lesson.notes },
    { name: 'Status', value: <StatusBadge status={lesson.status} /> },
    { name: 'Sessions', value: sessionsInWords(lesson.counts) },
    { name: 'Money so far', value: lesson.money.length > 0 && <Money money={lesson.money} /> },
    { name: 'Continues', value: before !== null && <Before id={before} /> },
  ];
  return (
    <Sheet>
      <LessonIdentity lesson={lesson} tone={one ? toneOf(one) : 'stone'} />
      <FactList facts={facts} />
    </Sheet>
  );
}

/** The lesson that this one was split from. */
function Before({ id }: { id: number }) {
  return (
    <Link to="/lessons/$id" params={{ id: String(id) }}>
      An earlier lesson
    </Link>
  );
}

function sessionsInWords(counts: LessonDetails['counts']): string {
  const parts = [
    `${counts.completed} taught`,
    `${counts.scheduled} scheduled`,
    counts.cancelled > 0 && `${counts.cancelled} cancelled`,
  ];
  const total = counts.completed + counts.scheduled + counts.cancelled;
  return `${count(total, 'session')}: ${parts.filter(Boolean).join(', ')}`;
}

/** One line for each currency; what is still open in words, never only in red. */
function Money({ money: amounts }: { money: LessonDetails['money'] }) {
  return amounts.map(({ currency, charged, outstanding }) => (
    <span key={currency}>
      {money(charged, currency)} charged
      {outstanding > 0 ? `, ${money(outstanding, currency)} unpaid` : ', all paid'}
      {'\n'}
    </span>
  ));
}
