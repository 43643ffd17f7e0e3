import type { LessonFormValues } from './change-single-session-model.ts';
import type { Command } from './commands.ts';
import { GOOGLE_MEET, type ModelTerm } from './schedule-model.ts';
import type { Completion, CreateInput } from './session-lifecycle-model.ts';

/* Converts commands to HTTP requests. */

export type WaitCommand = Extract<Command, { kind: 'wait' | 'wait and extend series' }>;

export interface HttpCall {
  method: string;
  path: string;
  body?: unknown;
}

const toRequestBody = (formValues: LessonFormValues) => ({
  studentId: formValues.studentId,
  subjectId: formValues.subjectId,
  title: formValues.title,
  date: formValues.date,
  startTime: formValues.start,
  endTime: formValues.end,
  fee: formValues.fee === null ? null : formValues.fee / 100,
  currency: formValues.currency,
  place: formValues.place,
  usesGoogleMeet: formValues.place === GOOGLE_MEET,
  notes: formValues.notes,
  isRecurring: formValues.repeats,
  recurringPattern: formValues.pattern,
  recurringEndDate: formValues.endDate,
  usesRates: formValues.usesRates,
  seatFee: formValues.seatFee && formValues.seatFee / 100,
  termCalendarId: formValues.termCalendarId,
});

/** For a single student without their own fee, the list is omitted, as in the dialog. */
function toStudents(students: CreateInput['students']) {
  if (students.length === 1 && students[0]?.fee === undefined) return {};
  return { students: students.map(({ studentId, fee }) => ({ studentId, ...toOwnFee(fee) })) };
}

const toOwnFee = (fee: number | null | undefined) =>
  fee === undefined ? {} : { fee: fee === null ? null : fee / 100 };

export function toHttpCall(command: Exclude<Command, WaitCommand>): HttpCall {
  switch (command.kind) {
    case 'create': {
      const body = {
        ...toRequestBody(command.formValues),
        ...toStudents(command.students),
        pastSessions: command.earlier,
        acceptOverlaps: command.accept,
      };
      return { method: 'POST', path: '/api/lessons', body };
    }
    case 'change': {
      const { scope, sessionId, includeEdited, accept: acceptOverlaps } = command;
      const body = {
        ...toRequestBody(command.formValues),
        scope,
        sessionId,
        includeEdited,
        acceptOverlaps,
      };
      return { method: 'PUT', path: `/api/lessons/${command.lessonId}`, body };
    }
    case 'delete': {
      const query = `scope=${command.scope}&sessionId=${command.sessionId}`;
      return { method: 'DELETE', path: `/api/lessons/${command.lessonId}?${query}` };
    }
    case 'reschedule': {
      const { date, start: startTime, end: endTime, accept: acceptOverlaps } = command;
      const body = { date, startTime, endTime, acceptOverlaps };
      return { method: 'POST', path: `/api/sessions/${command.sessionId}/reschedule`, body };
    }
    case 'complete':
      return toCompleteCall(command.completions);
    case 'cancel': {
      const body = {
        cancelledBy: command.by,
        reason: command.reason,
        chargeFee: command.chargeFee,
      };
      return { method: 'POST', path: `/api/sessions/${command.sessionId}/cancel`, body };
    }
    case 'reopen': {
      const body = { acceptOverlaps: command.accept };
      return { method: 'POST', path: `/api/sessions/${command.sessionId}/reopen`, body };
    }
    case 'join': {
      const { lessonId, studentId, fee, from } = command;
      const body = { studentId, ...toOwnFee(fee), from };
      return { method: 'POST', path: `/api/lessons/${lessonId}/students`, body };
    }
    case 'leave': {
      const { lessonId, studentId, from } = command;
      return {
        method: 'DELETE',
        path: `/api/lessons/${lessonId}/students/${studentId}?from=${from}`,
      };
    }
    case 'cancel seat': {
      const { sessionId, studentId, by: cancelledBy, reason, chargeFee } = command;
      const body = { cancelledBy, reason, chargeFee };
      return {
        method: 'POST',
        path: `/api/sessions/${sessionId}/students/${studentId}/cancel`,
        body,
      };
    }
    case 'restore seat': {
      const { sessionId, studentId } = command;
      return { method: 'POST', path: `/api/sessions/${sessionId}/students/${studentId}/restore` };
    }
    case 'undo move':
      return { method: 'POST', path: `/api/sessions/${command.sessionId}/undo-reschedule` };
    case 'archive student':
      return { method: 'DELETE', path: `/api/students/${command.studentId}` };
    case 'change status': {
      const { studentId, status, from: fromDate, to: toDate } = command;
      if (status === 'left') {
        // The runner replaces the fingerprint with that of the preview.
        const dates = { lastDate: fromDate, portalEndsOn: fromDate };
        const body = { studentIds: [studentId], ...dates, fingerprint: 'none', drafts: false };
        return { method: 'POST', path: '/api/departures', body };
      }
      const body = { status, fromDate, toDate };
      return { method: 'PUT', path: `/api/students/${studentId}/status`, body };
    }
    case 'create time off': {
      const { from: fromDate, to: toDate, start: startTime, end: endTime, cancelIds } = command;
      const body = { fromDate, toDate, startTime, endTime, cancelSessionIds: cancelIds };
      return { method: 'POST', path: '/api/time-off', body };
    }
    case 'delete time off':
      return { method: 'DELETE', path: `/api/time-off/${command.id}?restore=${command.restore}` };
    case 'save rate': {
      const { kind: _kind, amount, ...rate } = command;
      return { method: 'PUT', path: '/api/rates', body: { ...rate, amount: amount / 100 } };
    }
    case 'delete rate':
      return { method: 'DELETE', path: `/api/rates/${command.id}` };
    case 'change subject': {
      const { subjectId, fee, currency } = command;
      const body = { name: `Subject ${subjectId}`, defaultFee: fee / 100, currency };
      return { method: 'PUT', path: `/api/subjects/${subjectId}`, body };
    }
    case 'create terms':
      return { method: 'POST', path: '/api/term-calendars', body: toCalendar(command.terms) };
    case 'change terms': {
      const { id, terms } = command;
      return { method: 'PUT', path: `/api/term-calendars/${id}`, body: toCalendar(terms) };
    }
    case 'delete terms':
      return { method: 'DELETE', path: `/api/term-calendars/${command.id}` };
    case 'policy': {
      const { noticeHours, feePercent } = command;
      return {
        method: 'PUT',
        path: '/api/settings/cancellation-policy',
        body: { tiers: [{ noticeHours, feePercent }] },
      };
    }
  }
  throw new Error('Unknown command');
}

const toCalendar = (terms: readonly ModelTerm[]) => ({
  name: 'School',
  terms: terms.map(({ from, to }) => ({ name: 'Term', fromDate: from, toDate: to })),
});

function toCompleteCall(completions: Completion[]): HttpCall {
  const items = completions.map(({ sessionId: id, exceptions, ...rest }) => ({
    id,
    ...rest,
    ...(exceptions.length === 0 ? {} : { students: exceptions }),
  }));
  const [only] = items;
  if (items.length > 1 || !only) {
    return { method: 'POST', path: '/api/sessions/complete', body: { sessions: items } };
  }
  const { id, ...body } = only;
  return { method: 'POST', path: `/api/sessions/${id}/complete`, body };
}
