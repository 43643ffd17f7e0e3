import { firstName } from '@lessonbook/contract/first-name';
import type { PortalStudent } from '@lessonbook/contract/portal';

/** Families read first names only. */
export const toPortalStudent = (
  access: Omit<PortalStudent, 'id' | 'name'> & { studentId: number; studentName: string },
): PortalStudent => ({
  id: access.studentId,
  name: firstName(access.studentName),
  seesLessons: access.seesLessons,
  seesPlace: access.seesPlace,
  seesNotes: access.seesNotes,
  seesMoney: access.seesMoney,
  mayCancel: access.mayCancel,
  mayRequestMoves: access.mayRequestMoves,
});
