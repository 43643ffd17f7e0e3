import type { Overlap } from '@lessonbook/contract/errors';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { useQuery } from '@tanstack/react-query';
import { sessionsByDateQuery } from './api.ts';

interface Wanted {
  date: string;
  startTime: string;
  endTime: string;
}

/** The scheduled lessons in the way of a new time, known before the tutor decides. The server has the last word. */
export function useOverlaps(session: Pick<SessionRow, 'id'>, wanted: Wanted): Overlap[] {
  const { date, startTime, endTime } = wanted;
  const { data } = useQuery({ ...sessionsByDateQuery(date), enabled: date !== '' });
  return (data ?? [])
    .filter(
      (other) =>
        other.id !== session.id &&
        other.status === 'scheduled' &&
        other.startTime < endTime &&
        other.endTime > startTime,
    )
    .map((other) => ({
      date,
      startTime,
      endTime,
      withSessionId: other.id,
      withTitle: other.title,
      withStartTime: other.startTime,
      withEndTime: other.endTime,
    }));
}
