import { cancellationPolicy } from '@lessonbook/contract/cancellation-policy-settings';
import { studentStatus } from '@lessonbook/contract/change-student-status';
import { groupLessons } from '@lessonbook/contract/group-lessons';
import { lessonNotes } from '@lessonbook/contract/lesson-notes';
import { lessons } from '@lessonbook/contract/lessons';
import { rates } from '@lessonbook/contract/rates';
import { sessions } from '@lessonbook/contract/sessions';
import { termCalendars } from '@lessonbook/contract/term-calendars';
import { timeOff } from '@lessonbook/contract/time-off';
import { cancellationFees } from '@lessonbook/contract/waive-cancellation-fee';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import {
  cancelSeat,
  cancelSession,
  proposeCancellation,
  proposeSeatCancellation,
  restoreSeat,
} from './service/cancel-session.ts';
import { deletePlannedPolicy, readPolicy, updatePolicy } from './service/cancellation-policy.ts';
import { completeSession, completeSessions } from './service/complete-session.ts';
import { createLesson, previewNewLesson } from './service/create-lesson.ts';
import { deleteLesson, previewDelete } from './service/delete-lesson.ts';
import {
  listNoteVersions,
  listStudentNotes,
  readSessionNotes,
  saveNote,
  setHomeworkDone,
  withdrawNote,
} from './service/lesson-notes.ts';
import { listRates, removeRate, saveRate } from './service/rates.ts';
import {
  listDueSessions,
  listLessons,
  listSessions,
  readLesson,
  readSession,
  readSessionStudents,
} from './service/read.ts';
import { reopenSession, reopenSessions } from './service/reopen-session.ts';
import { joinLesson, leaveLesson } from './service/roster.ts';
import { changeStudentStatus, previewStudentStatus } from './service/student-status.ts';
import {
  createTermCalendar,
  deleteTermCalendar,
  listTermCalendars,
  previewTermCalendar,
  updateTermCalendar,
} from './service/term-calendars.ts';
import { createTimeOff, deleteTimeOff, listTimeOff, previewTimeOff } from './service/time-off.ts';
import { undoReschedule } from './service/undo-session-reschedule.ts';
import { previewLessonChange, updateLesson } from './service/update-lesson-by-scope.ts';
import { rescheduleSession, updateSessionNotes } from './service/update-session.ts';
import { waiveCancellationFee } from './service/waive-cancellation-fee.ts';

export function lessonRoutes(http: HttpServer, context: Context): void {
  http.on(lessons.listLessons, ({ login, query }) => listLessons(context, login.tutorId, query));
  http.on(lessons.createLesson, ({ login, body, idempotencyKey }) =>
    createLesson(context, login.tutorId, body, idempotencyKey),
  );
  http.on(lessons.previewNewLesson, ({ login, body }) =>
    previewNewLesson(context, login.tutorId, body),
  );
  http.on(lessons.lesson, ({ login, params }) => readLesson(context, login.tutorId, params.id));
  http.on(lessons.updateLesson, ({ login, params, body, idempotencyKey }) =>
    updateLesson(context, login.tutorId, params.id, body, idempotencyKey),
  );
  http.on(lessons.previewLessonChange, ({ login, params, body }) =>
    previewLessonChange(context, login.tutorId, params.id, body),
  );
  http.on(rates.listRates, ({ login, query }) => listRates(context, login.tutorId, query));
  http.on(rates.saveRate, ({ login, body }) => saveRate(context, login.tutorId, body));
  http.on(rates.deleteRate, ({ login, params }) => removeRate(context, login.tutorId, params.id));
  http.on(groupLessons.joinLesson, async ({ login, params, body, idempotencyKey }) => {
    await joinLesson(context, login.tutorId, params.id, body, idempotencyKey);
    return readLesson(context, login.tutorId, params.id);
  });
  http.on(groupLessons.leaveLesson, async ({ login, params, query }) => {
    await leaveLesson(context, login.tutorId, params.id, params.studentId, query.from);
    return readLesson(context, login.tutorId, params.id);
  });
  http.on(lessons.deleteLesson, ({ login, params, query }) =>
    deleteLesson(context, login.tutorId, { lessonId: params.id, ...query }),
  );
  http.on(lessons.previewLessonDelete, ({ login, params, query }) =>
    previewDelete(context, login.tutorId, { lessonId: params.id, ...query }),
  );
}

export function sessionRoutes(http: HttpServer, context: Context): void {
  http.on(sessions.listSessions, ({ login, query }) =>
    listSessions(context, login.tutorId, query.from, query.to),
  );
  http.on(sessions.sessionsByDate, ({ login, params }) =>
    listSessions(context, login.tutorId, params.date, params.date),
  );
  http.on(sessions.dueSessions, ({ login }) => listDueSessions(context, login.tutorId));
  http.on(sessions.session, ({ login, params }) => readSession(context, login.tutorId, params.id));
  http.on(sessions.sessionStudents, ({ login, params }) =>
    readSessionStudents(context, login.tutorId, params.id),
  );
  http.on(sessions.updateSessionNotes, async ({ login, params, body }) => {
    await updateSessionNotes(context, login.tutorId, params.id, body);
    return readSession(context, login.tutorId, params.id);
  });
  http.on(sessions.completeSession, async ({ login, params, body }) => {
    await completeSession(context, login.tutorId, params.id, body);
    return readSession(context, login.tutorId, params.id);
  });
  http.on(sessions.completeSessions, async ({ login, body, idempotencyKey }) => ({
    completed: await completeSessions(context, login.tutorId, body, idempotencyKey),
  }));
  http.on(sessions.cancellationProposal, ({ login, params, query }) =>
    proposeCancellation(context, login.tutorId, params.id, query.cancelledBy),
  );
  http.on(sessions.cancelSession, async ({ login, params, body }) => {
    await cancelSession(context, login.tutorId, params.id, body);
    return readSession(context, login.tutorId, params.id);
  });
  http.on(cancellationFees.waiveCancellationFee, async ({ login, params }) => {
    await waiveCancellationFee(context, login.tutorId, params.id);
    return readSession(context, login.tutorId, params.id);
  });
  http.on(groupLessons.seatCancellationProposal, ({ login, params, query }) =>
    proposeSeatCancellation(context, login.tutorId, params.id, params.studentId, query.cancelledBy),
  );
  http.on(groupLessons.cancelSeat, async ({ login, params, body }) => {
    await cancelSeat(context, login.tutorId, params.id, params.studentId, body);
    return readSession(context, login.tutorId, params.id);
  });
  http.on(groupLessons.restoreSeat, async ({ login, params }) => {
    await restoreSeat(context, login.tutorId, params.id, params.studentId);
    return readSession(context, login.tutorId, params.id);
  });
  http.on(sessions.rescheduleSession, async ({ login, params, body, idempotencyKey }) => {
    const newId = await rescheduleSession(context, login.tutorId, params.id, body, idempotencyKey);
    return readSession(context, login.tutorId, newId);
  });
  http.on(sessions.reopenSession, async ({ login, params, body }) => {
    await reopenSession(context, login.tutorId, params.id, body);
    return readSession(context, login.tutorId, params.id);
  });
  http.on(sessions.reopenSessions, async ({ login, body }) => ({
    reopened: await reopenSessions(context, login.tutorId, body),
  }));
  http.on(sessions.undoReschedule, async ({ login, params }) => {
    const id = await undoReschedule(context, login.tutorId, params.id);
    return readSession(context, login.tutorId, id);
  });
}

export function studentStatusRoutes(http: HttpServer, context: Context): void {
  http.on(studentStatus.previewStudentStatus, ({ login, params, body }) =>
    previewStudentStatus(context, login.tutorId, params.id, body),
  );
  http.on(studentStatus.changeStudentStatus, ({ login, params, body }) =>
    changeStudentStatus(context, login.tutorId, params.id, body),
  );
}

export function timeOffRoutes(http: HttpServer, context: Context): void {
  http.on(timeOff.listTimeOff, ({ login, query }) => listTimeOff(context, login.tutorId, query));
  http.on(timeOff.previewTimeOff, ({ login, body }) =>
    previewTimeOff(context, login.tutorId, body),
  );
  http.on(timeOff.createTimeOff, ({ login, body, idempotencyKey }) =>
    createTimeOff(context, login.tutorId, body, idempotencyKey),
  );
  http.on(timeOff.deleteTimeOff, ({ login, params, query }) =>
    deleteTimeOff(context, login.tutorId, params.id, query.restore === 'true'),
  );
  http.on(cancellationPolicy.deletePlannedPolicy, ({ login }) =>
    deletePlannedPolicy(context, login.tutorId),
  );
  http.on(cancellationPolicy.policy, ({ login }) => readPolicy(context, login.tutorId));
  http.on(cancellationPolicy.updatePolicy, ({ login, body }) =>
    updatePolicy(context, login.tutorId, body),
  );
}

export function termCalendarRoutes(http: HttpServer, context: Context): void {
  http.on(termCalendars.listTermCalendars, ({ login }) =>
    listTermCalendars(context, login.tutorId),
  );
  http.on(termCalendars.createTermCalendar, ({ login, body, idempotencyKey }) =>
    createTermCalendar(context, login.tutorId, body, idempotencyKey),
  );
  http.on(termCalendars.previewTermCalendar, ({ login, params, body }) =>
    previewTermCalendar(context, login.tutorId, params.id, body),
  );
  http.on(termCalendars.updateTermCalendar, ({ login, params, body }) =>
    updateTermCalendar(context, login.tutorId, params.id, body),
  );
  http.on(termCalendars.deleteTermCalendar, async ({ login, params }) => {
    await deleteTermCalendar(context, login.tutorId, params.id);
    return { message: 'The calendar was deleted' };
  });
}

export function lessonNoteRoutes(http: HttpServer, context: Context): void {
  const toSeatRef = ({ id, studentId }: { id: number; studentId: number }) => ({
    sessionId: id,
    studentId,
  });
  http.on(lessonNotes.sessionNotes, ({ login, params }) =>
    readSessionNotes(context, login.tutorId, params.id),
  );
  http.on(lessonNotes.saveNote, async ({ login, params, body }) => {
    await saveNote(context, login.tutorId, toSeatRef(params), body);
    return readSessionNotes(context, login.tutorId, params.id);
  });
  http.on(lessonNotes.withdrawNote, async ({ login, params }) => {
    await withdrawNote(context, login.tutorId, toSeatRef(params));
    return readSessionNotes(context, login.tutorId, params.id);
  });
  http.on(lessonNotes.noteVersions, ({ login, params }) =>
    listNoteVersions(context, login.tutorId, toSeatRef(params)),
  );
  http.on(lessonNotes.setHomeworkDone, async ({ login, params, body }) => {
    await setHomeworkDone(context, login.tutorId, toSeatRef(params), body.isDone);
    return readSessionNotes(context, login.tutorId, params.id);
  });
  http.on(lessonNotes.studentNotes, ({ login, params, query }) =>
    listStudentNotes(context, login.tutorId, params.id, query),
  );
}
