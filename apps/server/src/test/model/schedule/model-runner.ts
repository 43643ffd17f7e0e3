import type { Overlap } from '@lessonbook/contract/errors';
import { type ChangeSummary, type LessonDetails, lessons } from '@lessonbook/contract/lessons';
import { type Session, type SessionRow, sessions } from '@lessonbook/contract/sessions';
import type pg from 'pg';
import { extendAllSeries } from '../../../domains/lessons/service/rolling-generation.ts';
import type { ApiResponse } from '../../browser.ts';
import type { TestApp } from '../../test-app.ts';
import type { FastFixture } from '../fast-fixture.ts';
import { intlOffsets } from '../time-zones/intl-offsets.ts';
import { daysAfter, minuteText, wallDate, wallSeconds } from '../time-zones/zone-oracle.ts';
import type { Command } from './commands.ts';
import {
  hasEnded,
  type MSession,
  type Pair,
  Rejected,
  type ScheduleState,
  sessionOf,
} from './schedule-model.ts';
import * as series from './series-model.ts';
import * as acts from './session-model.ts';
import {
  consequencesDifference,
  difference,
  overlapDifference,
  scheduleDifference,
  sessionPageDifference,
} from './system-adapter.ts';

/** What the model expects of one request: its status, and what else to compare when it succeeds. */
interface Expected {
  status: number;
  /** Looks at the body of a good answer. */
  check: (body: unknown) => string | null;
}

type WaitCommand = Extract<Command, { kind: 'wait' | 'wait and move the horizon' }>;

interface HttpCall {
  method: string;
  path: string;
  body?: unknown;
}

/** One tutor's book, kept twice. */
export class ModelRunner {
  readonly #house: TestApp;
  readonly #inside: pg.Client;
  readonly #book: FastFixture;
  readonly #offset: (instant: number) => number;
  state: ScheduleState;

  constructor(app: TestApp, adminDb: pg.Client, fixture: FastFixture, timeZone: string) {
    this.#house = app;
    this.#inside = adminDb;
    this.#book = fixture;
    this.#offset = intlOffsets(timeZone);
    this.state = {
      ...this.#wall(),
      lessons: [],
      sessions: [],
      timeOff: [],
      policy: { noticeHours: 24, feePercent: 100 },
      ids: { lesson: 0, session: 0, timeOff: 0 },
    };
  }

  get people() {
    return this.#book;
  }

  #wall(): { today: string; now: string } {
    const instant = this.#house.clock.now().getTime() / 1000;
    const wall = instant + this.#offset(instant);
    const today = wallDate(wall);
    return { today, now: `${today} ${minuteText(Math.floor((wall % 86_400) / 60))}` };
  }

  /** Does the step in both and compares everything; null when they agree. A known fault is thrown. */
  async run(command: Command): Promise<string | null> {
    if (command.kind === 'wait' || command.kind === 'wait and move the horizon')
      return this.#wait(command);
    const draft = structuredClone(this.state);
    let expected: Expected;
    try {
      expected = this.#inModel(draft, command);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      return (await this.#refused(toHttpCall(command), error)) ?? this.#compare();
    }
    const call = toHttpCall(command);
    if ('preview' in command && command.preview) {
      const preview = await this.#previewDifference(command, call, expected);
      if (preview) return preview;
    }
    const answer = await this.#send(call);
    if (answer.status !== expected.status) return statusDifference(expected.status, answer);
    const wrong = expected.check(answer.body);
    if (wrong) return wrong;
    this.state = draft;
    return this.#compare();
  }

  async #wait(command: WaitCommand) {
    const job = command.kind !== 'wait';
    this.#house.clock.forward(job ? { days: command.days } : { minutes: command.minutes });
    Object.assign(this.state, this.#wall());
    if (job) {
      acts.extendAllSeries(this.state);
      await extendAllSeries(this.#house.context);
      await extendAllSeries(this.#house.context);
    }
    return this.#compare();
  }

  #send(call: HttpCall): Promise<ApiResponse<unknown>> {
    return this.#book.browser.send(call.method, call.path, call.body);
  }

  async #refused(call: HttpCall, refusal: Rejected): Promise<string | null> {
    const answer = await this.#send(call);
    if (answer.status !== refusal.status) return statusDifference(refusal.status, answer);
    if (refusal.pairs.length === 0) {
      return answer.error.code === 'overlap' ? 'refused for an overlap that is none' : null;
    }
    return overlapDifference(refusal.pairs, answer.error.overlaps ?? [], 'refusal');
  }

  /** What is shown beforehand is what happens. */
  async #previewDifference(
    command: Command,
    call: HttpCall,
    expected: Expected,
  ): Promise<string | null> {
    const preview =
      command.kind === 'delete'
        ? { method: 'GET', path: call.path.replace('?', '/delete-preview?') }
        : { method: 'POST', path: `${call.path}/preview`, body: call.body };
    const answer = await this.#send(preview);
    if (answer.status !== 200) return `preview: ${statusDifference(200, answer)}`;
    const body = command.kind === 'delete' ? answer.body : { consequences: answer.body };
    const wrong = expected.check({ ...(body as object), previewed: true });
    return wrong && `preview: ${wrong}`;
  }

  #inModel(draft: ScheduleState, command: Exclude<Command, WaitCommand>): Expected {
    switch (command.kind) {
      case 'create':
        assertEndsAfterStart(command.dialog);
        return { status: 201, check: checkSaved(acts.create(draft, command)) };
      case 'change':
        assertEndsAfterStart(command.dialog);
        return { status: 200, check: checkSaved(series.change(draft, command)) };
      case 'delete': {
        const done = series.deleteFrom(draft, command);
        return {
          status: 200,
          check: (body) => consequencesDifference(done, withoutPreviewFlag(body)),
        };
      }
      case 'reschedule': {
        const id = acts.reschedule(draft, command);
        return { status: 200, check: checkSessionPage(draft, id) };
      }
      case 'complete': {
        acts.complete(draft, command.completions);
        return { status: 200, check: () => null };
      }
      case 'cancel':
        acts.cancel(draft, command, this.#notice(draft, command.sessionId));
        return { status: 200, check: checkSessionPage(draft, command.sessionId) };
      case 'reopen':
        acts.reopen(draft, command.sessionId, command.accept);
        return { status: 200, check: checkSessionPage(draft, command.sessionId) };
      case 'take off': {
        const off = acts.createTimeOff(draft, command);
        const cancelled = command.cancelIds.length;
        return {
          status: 201,
          check: (body) => {
            const { id, cancelled: count } = body as { id: number; cancelled: number };
            return difference({ id: off.id, cancelled }, { id, cancelled: count }, 'time off');
          },
        };
      }
      case 'end time off': {
        const done = acts.deleteTimeOff(draft, command.id, command.restore);
        return { status: 200, check: (body) => restoredDifference(done, body) };
      }
      case 'policy':
        draft.policy = { noticeHours: command.noticeHours, feePercent: command.feePercent };
        return { status: 200, check: () => null };
    }
    throw new Error('No such step');
  }

  #notice(state: ScheduleState, sessionId: number): number {
    const { date, start } = sessionOf(state, sessionId);
    const wall = wallSeconds(date, Number(start.slice(0, 2)) * 60 + Number(start.slice(3)));
    const startsAt = wall - this.#offset(wall - this.#offset(wall));
    return Math.floor((startsAt - this.#house.clock.now().getTime() / 1000) / 60);
  }

  #compare(): Promise<string | null> {
    return scheduleDifference(this.state, this.#book, this.#inside);
  }

  /** The screens, once at the end: each lesson's page, the calendar, what is due, and some sessions' pages. */
  async checkScreens(): Promise<string | null> {
    const { browser } = this.#book;
    const live = this.state.lessons.filter((lesson) => !lesson.deleted);
    for (const { id } of live) {
      const { body } = await browser.call(lessons.lesson, { params: { id } });
      const wrong = this.#lessonPage(id, body);
      if (wrong) return wrong;
    }
    const due = await browser.call(sessions.dueSessions);
    const dueIds = this.state.sessions
      .filter((row) => row.status === 'scheduled' && hasEnded(this.state, row))
      .map((row) => row.id);
    const dueDifference = difference(idSet(dueIds), idSet(due.body.map(({ id }) => id)), 'due');
    if (dueDifference) return dueDifference;
    return (await this.#calendar()) ?? this.#sessionPages();
  }

  #lessonPage(id: number, page: LessonDetails): string | null {
    const rows = this.state.sessions.filter((row) => row.lessonId === id);
    const ids = (wanted: boolean) =>
      rows
        .filter((row) => (row.status === 'scheduled' && !hasEnded(this.state, row)) === wanted)
        .map((row) => row.id);
    const of = (list: SessionRow[]) => idSet(list.map((row) => row.id));
    return (
      difference(idSet(ids(true)), of(page.coming), `lesson ${id}, coming`) ??
      difference(idSet(ids(false)), of(page.past), `lesson ${id}, past`)
    );
  }

  /** What deleting a lesson called off is gone from the calendar; what had happened before stays. */
  async #calendar(): Promise<string | null> {
    const from = daysAfter(this.state.today, -20);
    const to = daysAfter(from, 60);
    const { body } = await this.#book.browser.call(sessions.listSessions, { query: { from, to } });
    const deletedAt = new Map(this.state.lessons.map((lesson) => [lesson.id, lesson.deletedAt]));
    const isGone = (row: MSession): boolean => {
      const at = deletedAt.get(row.lessonId) ?? null;
      const calledOff = row.status === 'cancelled' && row.cancelledBy === 'tutor';
      return at !== null && calledOff && `${row.date} ${row.end}` > at;
    };
    const shown = this.state.sessions
      .filter((row) => row.date >= from && row.date <= to)
      .filter((row) => !isGone(row));
    return difference(
      idSet(shown.map((row) => row.id)),
      idSet(body.map((row) => row.id)),
      'calendar',
    );
  }

  async #sessionPages(): Promise<string | null> {
    const settled = this.state.sessions.filter(
      (row) => row.status !== 'scheduled' || row.movedFrom,
    );
    for (const { id } of settled.slice(-3)) {
      const { body } = await this.#book.browser.call(sessions.session, { params: { id } });
      const wrong = sessionPageDifference(this.state, body);
      if (wrong) return wrong;
    }
    return null;
  }
}

const idSet = (ids: readonly number[]): Record<string, boolean> =>
  Object.fromEntries(ids.toSorted((a, b) => a - b).map((id) => [id, true]));

const statusDifference = (expected: number, answer: ApiResponse<unknown>): string =>
  `the model expects ${expected}, the server answers ${answer.status} ${JSON.stringify(answer.error).slice(0, 300)}`;

/** The form refuses an end before the date. */
function assertEndsAfterStart(dialog: series.Dialog): void {
  if (dialog.endDate !== null && dialog.endDate < dialog.date) throw new Rejected(400);
}

const withoutPreviewFlag = (body: unknown): ChangeSummary => {
  const { previewed: _previewed, ...consequences } = body as ChangeSummary & {
    previewed?: boolean;
  };
  return consequences;
};

function checkSaved(saved: series.Saved) {
  return (body: unknown): string | null => {
    const answer = body as series.Saved & { consequences: ChangeSummary; previewed?: boolean };
    const wrong = consequencesDifference(saved.consequences, answer.consequences);
    if (wrong || answer.previewed) return wrong;
    const { lessonId, sessionId } = answer;
    return difference(
      { lessonId: saved.lessonId, sessionId: saved.sessionId },
      { lessonId, sessionId },
      'saved',
    );
  };
}

function checkSessionPage(state: ScheduleState, sessionId: number) {
  return (body: unknown): string | null => {
    const page = body as Session;
    return difference(sessionId, page.id, 'answered session') ?? sessionPageDifference(state, page);
  };
}

function restoredDifference(expected: { restored: number; overlaps: Pair[] }, body: unknown) {
  const { restored, overlaps } = body as { restored: number; overlaps: Overlap[] };
  return (
    difference(expected.restored, restored, 'restored') ??
    overlapDifference(expected.overlaps, overlaps, 'restored')
  );
}

/* The wire. */

const dialogBody = (dialog: series.Dialog) => ({
  studentId: dialog.studentId,
  subjectId: dialog.subjectId,
  title: dialog.title,
  date: dialog.date,
  startTime: dialog.start,
  endTime: dialog.end,
  fee: dialog.fee === null ? null : dialog.fee / 100,
  currency: dialog.currency,
  place: dialog.place,
  notes: dialog.notes,
  isRecurring: dialog.repeats,
  recurringPattern: dialog.pattern,
  recurringEndDate: dialog.endDate,
});

function toHttpCall(command: Exclude<Command, WaitCommand>): HttpCall {
  switch (command.kind) {
    case 'create': {
      const body = {
        ...dialogBody(command.dialog),
        earlier: command.earlier,
        acceptOverlaps: command.accept,
      };
      return { method: 'POST', path: '/api/lessons', body };
    }
    case 'change': {
      const { scope, sessionId, includeEdited, accept: acceptOverlaps } = command;
      const body = {
        ...dialogBody(command.dialog),
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
    case 'take off': {
      const { from: fromDate, to: toDate, start: startTime, end: endTime, cancelIds } = command;
      const body = { fromDate, toDate, startTime, endTime, cancelSessionIds: cancelIds };
      return { method: 'POST', path: '/api/time-off', body };
    }
    case 'end time off':
      return { method: 'DELETE', path: `/api/time-off/${command.id}?restore=${command.restore}` };
    case 'policy': {
      const { noticeHours, feePercent } = command;
      return { method: 'PUT', path: '/api/settings/policy', body: { noticeHours, feePercent } };
    }
  }
  throw new Error('No such step');
}

function toCompleteCall(completions: acts.Completion[]): HttpCall {
  const wire = completions.map(({ sessionId: id, attendance, charge, notes }) => ({
    id,
    attendance,
    charge,
    notes,
  }));
  const [only] = wire;
  if (wire.length > 1 || !only) {
    return { method: 'POST', path: '/api/sessions/complete', body: { sessions: wire } };
  }
  const { id, ...body } = only;
  return { method: 'POST', path: `/api/sessions/${id}/complete`, body };
}
