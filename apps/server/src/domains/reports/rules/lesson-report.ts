import type { LessonReport } from '@lessonbook/contract/reports';

export interface LessonTotal {
  month: string;
  subjectId: number;
  subjectName: string;
  status: 'completed' | 'scheduled';
  lessons: number;
  minutes: number;
}

type Attendance = LessonReport['attendance'];
type Month = LessonReport['months'][number];
type Subject = LessonReport['subjects'][number];

export const sumTotals = (
  totals: readonly LessonTotal[],
  status: LessonTotal['status'],
): { lessons: number; minutes: number } => {
  const matching = totals.filter((total) => total.status === status);
  return {
    lessons: matching.reduce((sum, { lessons }) => sum + lessons, 0),
    minutes: matching.reduce((sum, { minutes }) => sum + minutes, 0),
  };
};

const toTaughtFields = (totals: readonly LessonTotal[]) => ({
  ...sumTotals(totals, 'completed'),
  bookedMinutes: sumTotals(totals, 'scheduled').minutes,
});

/** In chronological order. Months without lessons are left out. */
export const toMonths = (totals: readonly LessonTotal[]): Month[] =>
  [...Map.groupBy(totals, ({ month }) => month)]
    .map(([month, group]) => ({ month, ...toTaughtFields(group) }))
    .toSorted((a, b) => a.month.localeCompare(b.month));

/** Most hours first. */
export const toSubjects = (totals: readonly LessonTotal[]): Subject[] =>
  [...Map.groupBy(totals, ({ subjectId }) => subjectId)]
    .map(([id, group]) => ({
      id,
      name: group[0]?.subjectName ?? '',
      ...toTaughtFields(group),
    }))
    .toSorted(
      (a, b) =>
        b.minutes - a.minutes ||
        b.bookedMinutes - a.bookedMinutes ||
        a.name.localeCompare(b.name, 'en'),
    );

export function sumAttendance(students: readonly Attendance[]): Attendance {
  const sum = (key: keyof Attendance) => students.reduce((total, row) => total + row[key], 0);
  return {
    attended: sum('attended'),
    late: sum('late'),
    absent: sum('absent'),
    cancelled: sum('cancelled'),
  };
}
