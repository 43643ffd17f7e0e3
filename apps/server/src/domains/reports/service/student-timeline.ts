import type { EndpointReply } from '@lessonbook/contract/endpoint';
import type {
  studentOverview,
  TimelineFilter,
} from '@lessonbook/contract/student-overview-and-timeline';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { getStudentOrThrow } from '../../students/service/students.ts';
import { studentTimeline } from '../queries/student-timeline.ts';
import { readOverview } from './student-overview.ts';

export async function readStudentTimeline(
  context: Context,
  tutorId: string,
  id: number,
  { show, limit, offset }: { show: TimelineFilter; limit: number; offset: number },
): Promise<EndpointReply<typeof studentOverview.studentTimeline>> {
  const now = context.clock.now();
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    await getStudentOrThrow(tx, tutorId, id);
    const today = dateInZone(await getTimeZone(tx, tutorId), now);
    const { nextSessionId } = await readOverview(tx, tutorId, id, now);
    const by = { tutorId, studentId: id, today, nextId: nextSessionId };
    // One extra entry shows whether there is another page.
    const rows = await studentTimeline(tx, by, { show, limit: limit + 1, offset }).execute();
    return {
      entries: rows.slice(0, limit).map(({ entry }) => entry),
      hasMore: rows.length > limit,
    };
  });
}
