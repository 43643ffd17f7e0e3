import type { Overlap } from '@lessonbook/contract/errors';
import { type Consequences, type LessonDetails, lessons } from '@lessonbook/contract/lessons';
import { type Session, type SessionRow, sessions } from '@lessonbook/contract/sessions';
import type pg from 'pg';
import { moveHorizons } from '../../domains/lessons/service/horizon.ts';
import type { Answer } from '../browser.ts';
import type { House } from '../house.ts';
import * as acts from './acts-model.ts';
import { isOver, type MSession, type Pair, Refused, type State, sessionOf } from './book-model.ts';
import { intlOffsets } from './intl-zone.ts';
import type { Book } from './quick-book.ts';
import * as series from './series-model.ts';
import {
  bookDifference,
  consequencesDifference,
  difference,
  overlapDifference,
  sessionPageDifference,
} from './server-book.ts';
import type { Step } from './steps.ts';
import { daysAfter, minuteText, wallDate, wallSeconds } from './zone-oracle.ts';

/** What the model expects of one request: its status, and what else to compare when it succeeds. */
interface Expected {
  status: number;
  /** Looks at the body of a good answer. */
  check: (body: unknown) => string | null;
}

type Waiting = Extract<Step, { kind: 'wait' | 'wait and move the horizon' }>;

interface Call {
  method: string;
  path: string;
  body?: unknown;
}

/** One tutor's book, kept twice. */
export class Player {
  readonly #house: House;
  readonly #inside: pg.Client;
  readonly #book: Book;
  readonly #offset: (instant: number) => number;
  state: State;

  constructor(house: House, inside: pg.Client, book: Book, timeZone: string) {
    this.#house = house;
    this.#inside = inside;
    this.#book = book;
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
  async play(step: Step): Promise<string | null> {
    if (step.kind === 'wait' || step.kind === 'wait and move the horizon') return this.#wait(step);
    const draft = structuredClone(this.state);
    let expected: Expected;
    try {
      expected = this.#inModel(draft, step);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return (await this.#refused(callOf(step), error)) ?? this.#compare();
    }
    const call = callOf(step);
    if ('preview' in step && step.preview) {
      const preview = await this.#previewDifference(step, call, expected);
      if (preview) return preview;
    }
    const answer = await this.#send(call);
    if (answer.status !== expected.status) return statusDifference(expected.status, answer);
    const wrong = expected.check(answer.body);
    if (wrong) return wrong;
    this.state = draft;
    return this.#compare();
  }

  async #wait(step: Waiting) {
    const job = step.kind !== 'wait';
    this.#house.clock.forward(job ? { days: step.days } : { minutes: step.minutes });
    Object.assign(this.state, this.#wall());
    if (job) {
      acts.moveHorizon(this.state);
      await moveHorizons(this.#house.context);
      await moveHorizons(this.#house.context);
    }
    return this.#compare();
  }

  #send(call: Call): Promise<Answer<unknown>> {
    return this.#book.browser.send(call.method, call.path, call.body);
  }

  async #refused(call: Call, refusal: Refused): Promise<string | null> {
    const answer = await this.#send(call);
    if (answer.status !== refusal.status) return statusDifference(refusal.status, answer);
    if (refusal.pairs.length === 0) {
      return answer.error.code === 'overlap' ? 'refused for an overlap that is none' : null;
    }
    return overlapDifference(refusal.pairs, answer.error.overlaps ?? [], 'refusal');
  }

  /** What is shown beforehand is what happens. */
  async #previewDifference(step: Step, call: Call, expected: Expected): Promise<string | null> {
    const preview =
      step.kind === 'delete'
        ? { method: 'GET', path: call.path.replace('?', '/delete-preview?') }
        : { method: 'POST', path: `${call.path}/preview`, body: call.body };
    const answer = await this.#send(preview);
    if (answer.status !== 200) return `preview: ${statusDifference(200, answer)}`;
    const body = step.kind === 'delete' ? answer.body : { consequences: answer.body };
    const wrong = expected.check({ ...(body as object), previewed: true });
    return wrong && `preview: ${wrong}`;
  }

  #inModel(draft: State, step: Exclude<Step, Waiting>): Expected {
    switch (step.kind) {
      case 'create':
        mustEndAfter(step.dialog);
        return { status: 201, check: savedCheck(acts.create(draft, step)) };
      case 'change':
        mustEndAfter(step.dialog);
        return { status: 200, check: savedCheck(series.change(draft, step)) };
      case 'delete': {
        const done = series.deleteFrom(draft, step);
        return { status: 200, check: (body) => consequencesDifference(done, known(body)) };
      }
      case 'reschedule': {
        const id = acts.reschedule(draft, step);
        return { status: 200, check: pageCheck(draft, id) };
      }
      case 'complete': {
        acts.complete(draft, step.completions);
        return { status: 200, check: () => null };
      }
      case 'cancel':
        acts.cancel(draft, step, this.#notice(draft, step.sessionId));
        return { status: 200, check: pageCheck(draft, step.sessionId) };
      case 'reopen':
        acts.reopen(draft, step.sessionId, step.accept);
        return { status: 200, check: pageCheck(draft, step.sessionId) };
      case 'take off': {
        const off = acts.takeOff(draft, step);
        const cancelled = step.cancelIds.length;
        return {
          status: 201,
          check: (body) => {
            const { id, cancelled: count } = body as { id: number; cancelled: number };
            return difference({ id: off.id, cancelled }, { id, cancelled: count }, 'time off');
          },
        };
      }
      case 'end time off': {
        const done = acts.endTimeOff(draft, step.id, step.restore);
        return { status: 200, check: (body) => restoredDifference(done, body) };
      }
      case 'policy':
        draft.policy = { noticeHours: step.noticeHours, feePercent: step.feePercent };
        return { status: 200, check: () => null };
    }
    throw new Error('No such step');
  }

  #notice(state: State, sessionId: number): number {
    const { date, start } = sessionOf(state, sessionId);
    const wall = wallSeconds(date, Number(start.slice(0, 2)) * 60 + Number(start.slice(3)));
    const startsAt = wall - this.#offset(wall - this.#offset(wall));
    return Math.floor((startsAt - this.#house.clock.now().getTime() / 1000) / 60);
  }

  #compare(): Promise<string | null> {
    return bookDifference(this.state, this.#book, this.#inside);
  }

  /** The screens, once at the end: each lesson's page, the calendar, what is due, and some sessions' pages. */
  async readEverything(): Promise<string | null> {
    const { browser } = this.#book;
    const live = this.state.lessons.filter((lesson) => !lesson.deleted);
    for (const { id } of live) {
      const { body } = await browser.call(lessons.lesson, { params: { id } });
      const wrong = this.#lessonPage(id, body);
      if (wrong) return wrong;
    }
    const due = await browser.call(sessions.dueSessions);
    const dueIds = this.state.sessions
      .filter((row) => row.status === 'scheduled' && isOver(this.state, row))
      .map((row) => row.id);
    const dueDifference = difference(idSet(dueIds), idSet(due.body.map(({ id }) => id)), 'due');
    if (dueDifference) return dueDifference;
    return (await this.#calendar()) ?? this.#sessionPages();
  }

  #lessonPage(id: number, page: LessonDetails): string | null {
    const rows = this.state.sessions.filter((row) => row.lessonId === id);
    const ids = (wanted: boolean) =>
      rows
        .filter((row) => (row.status === 'scheduled' && !isOver(this.state, row)) === wanted)
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

const statusDifference = (expected: number, answer: Answer<unknown>): string =>
  `the model expects ${expected}, the server answers ${answer.status} ${JSON.stringify(answer.error).slice(0, 300)}`;

/** The form refuses an end before the date. */
function mustEndAfter(dialog: series.Dialog): void {
  if (dialog.endDate !== null && dialog.endDate < dialog.date) throw new Refused(400);
}

const known = (body: unknown): Consequences => {
  const { previewed: _previewed, ...consequences } = body as Consequences & { previewed?: boolean };
  return consequences;
};

function savedCheck(saved: series.Saved) {
  return (body: unknown): string | null => {
    const answer = body as series.Saved & { consequences: Consequences; previewed?: boolean };
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

function pageCheck(state: State, sessionId: number) {
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

function callOf(step: Exclude<Step, Waiting>): Call {
  switch (step.kind) {
    case 'create': {
      const body = {
        ...dialogBody(step.dialog),
        earlier: step.earlier,
        acceptOverlaps: step.accept,
      };
      return { method: 'POST', path: '/api/lessons', body };
    }
    case 'change': {
      const { scope, sessionId, includeEdited, accept: acceptOverlaps } = step;
      const body = { ...dialogBody(step.dialog), scope, sessionId, includeEdited, acceptOverlaps };
      return { method: 'PUT', path: `/api/lessons/${step.lessonId}`, body };
    }
    case 'delete': {
      const query = `scope=${step.scope}&sessionId=${step.sessionId}`;
      return { method: 'DELETE', path: `/api/lessons/${step.lessonId}?${query}` };
    }
    case 'reschedule': {
      const { date, start: startTime, end: endTime, accept: acceptOverlaps } = step;
      const body = { date, startTime, endTime, acceptOverlaps };
      return { method: 'POST', path: `/api/sessions/${step.sessionId}/reschedule`, body };
    }
    case 'complete':
      return completeCall(step.completions);
    case 'cancel': {
      const body = { cancelledBy: step.by, reason: step.reason, chargeFee: step.chargeFee };
      return { method: 'POST', path: `/api/sessions/${step.sessionId}/cancel`, body };
    }
    case 'reopen': {
      const body = { acceptOverlaps: step.accept };
      return { method: 'POST', path: `/api/sessions/${step.sessionId}/reopen`, body };
    }
    case 'take off': {
      const { from: fromDate, to: toDate, start: startTime, end: endTime, cancelIds } = step;
      const body = { fromDate, toDate, startTime, endTime, cancelSessionIds: cancelIds };
      return { method: 'POST', path: '/api/time-off', body };
    }
    case 'end time off':
      return { method: 'DELETE', path: `/api/time-off/${step.id}?restore=${step.restore}` };
    case 'policy': {
      const { noticeHours, feePercent } = step;
      return { method: 'PUT', path: '/api/settings/policy', body: { noticeHours, feePercent } };
    }
  }
  throw new Error('No such step');
}

function completeCall(completions: acts.Completion[]): Call {
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
