import { firstName } from '@lessonbook/contract/person-name';

/** First names only, because calendars are often shared with other people. */
export function eventSummary(lesson: {
  studentName: string;
  subjectName: string;
  status: string;
}): string {
  const summary = `${firstName(lesson.studentName)}: ${lesson.subjectName}`;
  return lesson.status === 'completed' ? `✓ ${summary}` : summary;
}

/** Input of the fingerprint that tells whether an event equals its session. */
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
