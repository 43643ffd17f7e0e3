import { formatTime12 } from '@lessonbook/contract/format-time';
import type { PortalLessons } from '@lessonbook/contract/portal';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { PublicField } from '../../components/PublicForm.tsx';
import { formatAmount, formatList, formatShortDate } from '../../lib/format.ts';
import classes from './CancelSheet.module.css';
import {
  type CancellationCost,
  costsOf,
  countFree,
  findIncrease,
  formatHeadline,
  formatSum,
} from './cancellation-cost.ts';
import {
  dayName,
  formatDeadline,
  formatEnd,
  formatOwnTime,
  formatSubject,
  seatKey,
} from './portal-format.ts';

/** The server's limit. */
const MAX_MESSAGE_LENGTH = 500;

export interface CancelValues {
  usesFree: boolean;
  isIllness: boolean;
  message: string;
}

interface Props {
  page: PortalLessons;
  today: string;
  costs: readonly CancellationCost[];
  values: CancelValues;
  onChange: (change: Partial<CancelValues>) => void;
}

/** What is cancelled and what it costs, with the choices that change the cost. */
export function CancelDetails({ page, today, costs, values, onChange }: Props) {
  const { tutorName, illnessNote } = page;
  const lessons = costs.map(({ lesson }) => lesson);
  const names = [...new Set(lessons.map(({ studentName }) => studentName))];
  const isCharged = lessons.some(({ cancellation }) => cancellation.fee > 0);
  const [only] = costs.length === 1 ? costs : [];
  return (
    <>
      {only ? (
        <LessonSummary {...{ page, today }} cost={only} />
      ) : (
        <FeeList {...{ costs, today }} />
      )}
      <div className={classes.cost} role="status">
        <b>{formatHeadline(costs)}</b>
        <CostHint {...{ page, today, costs }} />
      </div>
      {isCharged && <FreeCancellation {...{ today, costs, values, onChange }} />}
      {/* Illness is only asked about where it can change the cost. */}
      {isCharged && (
        <CheckboxField
          label={`${formatList(names)} ${names.length === 1 ? 'is' : 'are'} ill`}
          hint={illnessNote ?? `${tutorName} may decide not to charge.`}
          checked={values.isIllness}
          onChange={(isIllness) => onChange({ isIllness })}
        />
      )}
      <PublicField
        label={`Message to ${tutorName} (optional)`}
        maxLength={MAX_MESSAGE_LENGTH}
        autoComplete="off"
        value={values.message}
        onChange={(message) => onChange({ message })}
      />
    </>
  );
}

function LessonSummary({
  page,
  today,
  cost,
}: Pick<Props, 'page' | 'today'> & { cost: CancellationCost }) {
  const { lesson } = cost;
  const name = dayName(lesson.date, today);
  const ownTime = formatOwnTime(lesson, page);
  const date = formatShortDate(lesson.date, today);
  return (
    <p className={classes.summary}>
      {name ? `${name}, ${date}` : date}, {formatTime12(lesson.startTime)} to{' '}
      {formatEnd(lesson.endTime)}
      {ownTime && ` ${ownTime}`}
      <br />
      {formatSubject(lesson)}
    </p>
  );
}

function FeeList({ costs, today }: Pick<Props, 'costs' | 'today'>) {
  return (
    <ul className={classes.fees}>
      {costs.map(({ lesson, fee, usesFreeCancellation }) => (
        <li key={seatKey(lesson)}>
          <span>
            {lesson.studentName}, {formatShortDate(lesson.date, today)},{' '}
            {formatTime12(lesson.startTime)}
          </span>{' '}
          <span>
            {fee > 0
              ? formatAmount(fee, lesson.cancellation.currency)
              : usesFreeCancellation
                ? 'Free late cancellation'
                : 'Free'}
          </span>
        </li>
      ))}
    </ul>
  );
}

function CostHint({ page, today, costs }: Pick<Props, 'page' | 'today' | 'costs'>) {
  const used = countFree(costs);
  const increase = findIncrease(costs);
  const lessons = costs.map(({ lesson }) => lesson);
  const sentences: string[] = [];
  if (used > 0)
    sentences.push(
      `Without ${used === 1 ? 'it' : 'them'}, cancelling costs ${formatSum(costsOf(lessons, false))}.`,
    );
  if (increase) {
    const from = formatDeadline(increase.at, page, today);
    const verb = costs.every(({ fee }) => fee === 0) ? 'cancelling costs' : 'the cost goes up to';
    sentences.push(`From ${from}, ${verb} ${increase.sum}.`);
  }
  return sentences.length > 0 && <p>{sentences.join(' ')}</p>;
}

/** Only shown if a free late cancellation is left for one of the lessons that cost something. */
function FreeCancellation({ today, costs, values, onChange }: Omit<Props, 'page'>) {
  const { usesFree, isIllness } = values;
  const lessons = costs.map(({ lesson }) => lesson);
  const free = costsOf(lessons, true).filter(({ usesFreeCancellation }) => usesFreeCancellation);
  if (free.length === 0) return null;
  return (
    // In case of illness the tutor decides about the fee, so no free cancellation is used.
    <fieldset className={classes.free} disabled={isIllness}>
      <CheckboxField
        label={
          free.length === 1
            ? 'Use a free late cancellation'
            : `Use ${free.length} free late cancellations`
        }
        hint={formatFreeHint(free, today, costs.length === 1)}
        checked={usesFree && !isIllness}
        onChange={(checked) => onChange({ usesFree: checked })}
      />
    </fieldset>
  );
}

function formatFreeHint(free: readonly CancellationCost[], today: string, isOnly: boolean): string {
  const [first] = free;
  if (!first || free.length > 1) return "They'll be used for the most expensive lessons.";
  const { studentName, date, cancellation } = first.lesson;
  if (!isOnly) return `For ${studentName}'s lesson on ${formatShortDate(date, today)}.`;
  const { freeCancellationsLeft } = cancellation;
  return `You have ${freeCancellationsLeft} left this term. If you use ${freeCancellationsLeft === 1 ? 'it' : 'one'}, you pay nothing.`;
}
