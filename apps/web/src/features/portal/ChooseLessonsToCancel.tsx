import { addDaysToDate, startOfWeek } from '@lessonbook/contract/dates';
import { formatTime12 } from '@lessonbook/contract/format-time';
import type { PortalLessons } from '@lessonbook/contract/portal';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { formatShortDate } from '../../lib/format.ts';
import classes from './CancelSheet.module.css';
import type { CancellableLesson } from './cancellation-cost.ts';
import { dayName, formatCancellation, groupByDate, seatKey } from './portal-format.ts';

/** The server's limit. */
export const MAX_LESSONS = 50;

interface Props {
  page: PortalLessons;
  now: Date;
  today: string;
  lessons: readonly CancellableLesson[];
  chosenKeys: ReadonlySet<string>;
  onChange: (keys: ReadonlySet<string>) => void;
}

export function ChooseLessonsToCancel({ page, now, today, lessons, chosenKeys, onChange }: Props) {
  const isChosen = (lesson: CancellableLesson) => chosenKeys.has(seatKey(lesson));

  function choose(changed: readonly CancellableLesson[], checked: boolean) {
    const keys = new Set(chosenKeys);
    for (const lesson of changed) {
      if (checked) keys.add(seatKey(lesson));
      else keys.delete(seatKey(lesson));
    }
    onChange(keys);
  }

  const choices = quickChoices(lessons, today);
  const count = lessons.filter(isChosen).length;
  return (
    <>
      <p className={classes.summary}>Choose the lessons. You'll see the cost before you confirm.</p>
      {choices.length > 0 && (
        <div className={classes.choices}>
          {choices.map(({ label, lessons: choiceLessons }) => {
            const isPressed = choiceLessons.every(isChosen);
            return (
              <button
                key={label}
                type="button"
                aria-pressed={isPressed}
                onClick={() => choose(choiceLessons, !isPressed)}
              >
                {label}
              </button>
            );
          })}
        </div>
      )}
      {groupByDate(lessons).map(([date, ofDay]) => (
        <fieldset key={date} className={classes.day}>
          <legend>{formatDay(date, today)}</legend>
          {ofDay.map((lesson) => {
            const cost = formatCancellation(lesson, page, now);
            return (
              <CheckboxField
                key={seatKey(lesson)}
                label={`${lesson.studentName}, ${formatTime12(lesson.startTime)}, ${lesson.subjectName}`}
                {...(cost && { hint: cost })}
                checked={isChosen(lesson)}
                onChange={(checked) => choose([lesson], checked)}
              />
            );
          })}
        </fieldset>
      ))}
      {count > MAX_LESSONS && (
        <p role="alert" className={classes.problem}>
          You can cancel up to {MAX_LESSONS} lessons at once.
        </p>
      )}
    </>
  );
}

function formatDay(date: string, today: string): string {
  const name = dayName(date, today);
  return name ? `${name}, ${formatShortDate(date, today)}` : formatShortDate(date, today);
}

interface QuickChoice {
  label: string;
  lessons: CancellableLesson[];
}

/** This week's and next week's lessons, for everyone and for each child. Omits choices with only one lesson. */
function quickChoices(lessons: readonly CancellableLesson[], today: string): QuickChoice[] {
  const monday = startOfWeek(today);
  const weeks = [
    { name: 'this week', from: monday },
    { name: 'next week', from: addDaysToDate(monday, 7) },
  ];
  return weeks.flatMap(({ name, from }) => {
    const weekLessons = lessons.filter(({ date }) => date >= from && date < addDaysToDate(from, 7));
    const students = Map.groupBy(weekLessons, ({ studentId }) => studentId);
    const choicesByStudent = [...students.values()].map((studentLessons) => ({
      label: `All ${studentLessons[0]?.studentName}'s lessons ${name}`,
      lessons: studentLessons,
    }));
    const everyone = {
      label: name === 'this week' ? 'This week' : 'Next week',
      lessons: weekLessons,
    };
    const choices = students.size > 1 ? [everyone, ...choicesByStudent] : [everyone];
    return choices.filter(({ lessons: choiceLessons }) => choiceLessons.length > 1);
  });
}
