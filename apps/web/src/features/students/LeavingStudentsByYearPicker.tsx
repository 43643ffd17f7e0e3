import type { StudentListItem } from '@lessonbook/contract/student-overview-and-timeline';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Checkbox } from '../../components/Checkbox.tsx';
import { pluralize } from '../../lib/format.ts';
import { studentListQuery } from './api.ts';
import classes from './DeparturePreview.module.css';

interface Props {
  chosenIds: readonly number[];
  error: ReactNode;
  onChange: (ids: number[]) => void;
}

/** The school years with GCSE and A level exams in England and Wales. */
const EXAM_YEARS = ['Year 11', 'Year 13'];

/**
 * Lets the tutor choose school years and individual students in them. Students who have left or are already leaving are
 * not offered. The caller loads the list.
 */
export function LeavingStudentsByYearPicker({ chosenIds, error, onChange }: Props) {
  const { data } = useQuery(studentListQuery);
  const years = groupByYear(data ?? []);
  const hasPreselected = useRef(false);
  useEffect(() => {
    if (!data || hasPreselected.current) return;
    hasPreselected.current = true;
    const examYears = groupByYear(data).filter(([year]) => EXAM_YEARS.includes(year));
    onChange(examYears.flatMap(([, students]) => students.map(({ id }) => id)));
  }, [data, onChange]);

  const chosen = new Set(chosenIds);
  const toggle = (ids: readonly number[], isChosen: boolean) =>
    onChange([...chosenIds.filter((id) => !ids.includes(id)), ...(isChosen ? ids : [])]);
  return (
    <fieldset className={classes.years} data-path="studentIds">
      <legend>Who is leaving?</legend>
      {years.map(([year, students]) => {
        const ids = students.map(({ id }) => id);
        const count = ids.filter((id) => chosen.has(id)).length;
        return (
          <div key={year} className={classes.year}>
            <label className={classes.row}>
              <Checkbox
                checked={count === ids.length}
                indeterminate={count > 0 && count < ids.length}
                onChange={(isChosen) => toggle(ids, isChosen)}
              />
              <b>{year}</b>
              <span>{pluralize(ids.length, 'student')}</span>
            </label>
            {count > 0 &&
              students.map(({ id, name }) => (
                <label key={id} className={`${classes.row} ${classes.student}`}>
                  <Checkbox
                    checked={chosen.has(id)}
                    onChange={(isChosen) => toggle([id], isChosen)}
                  />
                  <span>{name}</span>
                </label>
              ))}
          </div>
        );
      })}
      {error && (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** 'Year 9' comes before 'Year 11'. */
export function groupByYear(students: readonly StudentListItem[]): [string, StudentListItem[]][] {
  const current = students.filter(({ status, schoolYear }) => status !== 'left' && schoolYear);
  return [...Map.groupBy(current, ({ schoolYear }) => schoolYear as string)].toSorted(([a], [b]) =>
    a.localeCompare(b, 'en-GB', { numeric: true }),
  );
}
