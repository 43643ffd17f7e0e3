import { firstName } from '@lessonbook/contract/first-name';

/** Uses first names only, because calendars are often shared with other people. */
export function eventSummary(lesson: {
  studentName: string;
  subjectName: string;
  status: string;
}): string {
  const summary = `${firstName(lesson.studentName)}: ${lesson.subjectName}`;
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
