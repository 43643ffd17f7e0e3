import type { PageQuery } from '@lessonbook/contract/schema-fields';
import type { StudentListItem } from '@lessonbook/contract/student-overview-and-timeline';
import type { Context } from '../../../context.ts';
import { studentListPage } from '../queries/student-list-and-overview.ts';

export async function listStudentItems(
  context: Context,
  tutorId: string,
  page: PageQuery,
): Promise<StudentListItem[]> {
  const now = context.clock.now();
  const [items] = await context.db.tutorRead(tutorId, (tx) => [
    studentListPage(tx, tutorId, now, page),
  ]);
  return items;
}
