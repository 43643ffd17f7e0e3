import { firstName } from '@lessonbook/contract/person-name';

/** A lesson as the tutor's own calendar shows it. First names only: calendars are shared with partners and shown on walls. */
export function eventSummary(lesson: {
  studentName: string;
  subjectName: string;
  status: string;
}): string {
  const words = `${firstName(lesson.studentName)}: ${lesson.subjectName}`;
  return lesson.status === 'completed' ? `✓ ${words}` : words;
}

/** What must be the same there and here, as one text. */
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
