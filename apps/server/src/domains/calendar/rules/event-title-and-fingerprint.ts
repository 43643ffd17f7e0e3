import { firstName } from '@lessonbook/contract/first-name';

const MAX_NAMES = 3;

/** Uses first names only, because calendars are often shared with other people. Lists only a few names of a larger group. */
export function lessonSummary(studentNames: readonly string[], subjectName: string): string {
  const others = studentNames.length - MAX_NAMES;
  const names = studentNames.slice(0, MAX_NAMES).map(firstName).join(', ');
  return `${names}${others > 0 ? ` and ${others} more` : ''}: ${subjectName}`;
}

export function eventSummary(lesson: {
  studentNames: readonly string[];
  subjectName: string;
  status: string;
}): string {
  const summary = lessonSummary(lesson.studentNames, lesson.subjectName);
  return lesson.status === 'completed' ? `✓ ${summary}` : summary;
}

/** The input of the fingerprint that shows whether an event matches its session. */
export const serializeContent = (event: {
  summary: string;
  place: string | null;
  startsAt: Date | null;
  endsAt: Date | null;
}): string =>
  JSON.stringify([
    event.summary,
    event.place ?? '',
    event.startsAt?.toISOString() ?? '',
    event.endsAt?.toISOString() ?? '',
  ]);
