import { firstName } from '@lessonbook/contract/first-name';
import type { MoveRequestRow } from '../queries/move-requests.ts';

/** The data in the events about a request. */
export const toEventData = (
  tutorId: string,
  request: Pick<
    MoveRequestRow,
    | 'id'
    | 'contactId'
    | 'contactName'
    | 'sessionId'
    | 'studentId'
    | 'studentName'
    | 'date'
    | 'startTime'
  >,
) => ({
  tutorId,
  requestId: request.id,
  contactId: request.contactId,
  contactName: firstName(request.contactName),
  sessionId: request.sessionId,
  studentId: request.studentId,
  studentName: firstName(request.studentName),
  date: request.date,
  startTime: request.startTime,
});
