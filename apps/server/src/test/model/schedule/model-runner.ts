import type { ChangeSummary } from '@lessonbook/contract/lessons';
import type { DeparturePreview } from '@lessonbook/contract/student-departures';
import type pg from 'pg';
import { extendAllSeries } from '../../../domains/lessons/service/rolling-generation.ts';
import type { ApiResponse } from '../../browser-client.ts';
import type { TestApp } from '../../test-app.ts';
import type { InsertedTutorFixture } from '../insert-tutor-fixture.ts';
import { intlOffsets } from '../time-zones/intl-offsets.ts';
import { localDate, localSeconds, minuteText } from '../time-zones/zone-oracle.ts';
import { changeLesson } from './change-series-model.ts';
import type { LessonFormValues } from './change-single-session-model.ts';
import { checkLessonPage, screensDifference } from './check-screens.ts';
import { type HttpCall, toHttpCall, type WaitCommand } from './command-to-http-call.ts';
import type { Command } from './commands.ts';
import {
  calendarDifference,
  checkSaved,
  checkSessionPage,
  consequencesDifference,
  difference,
  overlapDifference,
  restoredDifference,
  scheduleDifference,
  studentStatusDifference,
  termsChangeDifference,
} from './compare-with-server.ts';
import { deleteSessions } from './delete-lesson-model.ts';
import * as seats from './group-seats-model.ts';
import * as prices from './prices-model.ts';
import { getSession, RejectedError, type ScheduleState, type WrongRule } from './schedule-model.ts';
import * as model from './session-lifecycle-model.ts';
import { changeStatus } from './student-status-model.ts';
import * as terms from './terms-model.ts';

/** The response that the model expects. */
interface Expected {
  status: number;
  /** Compares the body of a successful response. */
  check: (body: unknown) => string | null;
}

/** Runs one tutor's commands both in the model and on the server. */
export class ModelRunner {
  readonly #app: TestApp;
  readonly #adminDb: pg.Client;
  readonly #fixture: InsertedTutorFixture;
  readonly #offset: (instant: number) => number;
  state: ScheduleState;

  constructor(
    app: TestApp,
    adminDb: pg.Client,
    fixture: InsertedTutorFixture,
    timeZone: string,
    wrongRule: WrongRule | null = null,
  ) {
    this.#app = app;
    this.#adminDb = adminDb;
    this.#fixture = fixture;
    this.#offset = intlOffsets(timeZone);
    this.state = {
      wrongRule,
      ...this.#localNow(),
      lessons: [],
      sessions: [],
      timeOff: [],
      pauses: [],
      archivedStudents: [],
      statuses: {},
      leftOn: {},
      policy: { noticeHours: 24, feePercent: 100 },
      subjects: Object.fromEntries(
        fixture.subjectIds.map((id) => [id, { fee: 3000, currency: 'GBP' }]),
      ),
      rates: [],
      calendars: [],
      ids: { lesson: 0, session: 0, timeOff: 0, rate: 0, calendar: 0 },
    };
  }

  get fixtureIds() {
    return this.#fixture;
  }

  #localNow(): { today: string; now: string } {
    const instant = this.#app.clock.now().getTime() / 1000;
    const local = instant + this.#offset(instant);
    const today = localDate(local);
    return { today, now: `${today} ${minuteText(Math.floor((local % 86_400) / 60))}` };
  }

  /** Runs the command on both sides and returns the first difference, or null. */
  async run(command: Command): Promise<string | null> {
    if (command.kind === 'wait' || command.kind === 'wait and extend series')
      return this.#wait(command);
    const draft = structuredClone(this.state);
    let expected: Expected;
    try {
      expected = this.#applyToModel(draft, command);
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error;
      return (await this.#rejectionDifference(toHttpCall(command), error)) ?? this.#compare();
    }
    const call = toHttpCall(command);
    if ('preview' in command && command.preview) {
      const preview = await this.#previewDifference(command, call, expected);
      if (preview) return preview;
    }
    const response = await this.#send(call);
    if (response.status !== expected.status) return statusDifference(expected.status, response);
    const mismatch = expected.check(response.body);
    if (mismatch) return mismatch;
    this.state = draft;
    return this.#compare();
  }

  async #wait(command: WaitCommand) {
    const extendsSeries = command.kind !== 'wait';
    this.#app.clock.advance(extendsSeries ? { days: command.days } : { minutes: command.minutes });
    Object.assign(this.state, this.#localNow());
    if (extendsSeries) {
      model.extendAllSeries(this.state);
      // A second run must change nothing.
      await extendAllSeries(this.#app.context);
      await extendAllSeries(this.#app.context);
    }
    return this.#compare();
  }

  #send(call: HttpCall): Promise<ApiResponse<unknown>> {
    if (call.path.startsWith('/api/departures')) return this.#sendDeparture(call);
    return this.#fixture.browser.send(call.method, call.path, call.body);
  }

  /** Only a departure that has been previewed can be saved. Returns the preview for the only student. */
  async #sendDeparture({ path, body }: HttpCall): Promise<ApiResponse<unknown>> {
    const { browser } = this.#fixture;
    const { fingerprint: _none, ...input } = body as { fingerprint: string };
    const preview = await browser.send('POST', '/api/departures/preview', input);
    if (preview.status !== 200) return preview;
    const { fingerprint, students } = preview.body as DeparturePreview;
    const shown = { ...preview, body: students[0] };
    if (path.endsWith('/preview')) return shown;
    const saved = await browser.send('POST', path, { ...input, fingerprint });
    return saved.status === 201 ? shown : saved;
  }

  async #rejectionDifference(call: HttpCall, rejected: RejectedError): Promise<string | null> {
    const response = await this.#send(call);
    if (response.status !== rejected.status) return statusDifference(rejected.status, response);
    if (rejected.pairs.length === 0) {
      return response.error.code === 'overlap'
        ? 'rejected for an overlap that does not exist'
        : null;
    }
    return overlapDifference(rejected.pairs, response.error.overlaps ?? [], 'rejection');
  }

  /** Checks that the preview matches what the command does. */
  async #previewDifference(
    command: Command,
    call: HttpCall,
    expected: Expected,
  ): Promise<string | null> {
    const preview =
      command.kind === 'delete'
        ? { method: 'GET', path: call.path.replace('?', '/delete-preview?') }
        : { method: 'POST', path: `${call.path}/preview`, body: call.body };
    const response = await this.#send(preview);
    if (response.status !== 200) return `preview: ${statusDifference(200, response)}`;
    const isSaved = command.kind === 'create' || command.kind === 'change';
    const body = isSaved ? { consequences: response.body } : response.body;
    const mismatch = expected.check({ ...(body as object), previewed: true });
    return mismatch && `preview: ${mismatch}`;
  }

  #applyToModel(draft: ScheduleState, command: Exclude<Command, WaitCommand>): Expected {
    switch (command.kind) {
      case 'create':
        assertEndsAfterStart(command.formValues);
        return { status: 201, check: checkSaved(model.createLesson(draft, command)) };
      case 'change':
        assertEndsAfterStart(command.formValues);
        return { status: 200, check: checkSaved(changeLesson(draft, command)) };
      case 'delete': {
        const consequences = deleteSessions(draft, command);
        return {
          status: 200,
          check: (body) => consequencesDifference(consequences, withoutPreviewFlag(body)),
        };
      }
      case 'reschedule': {
        const id = model.rescheduleSession(draft, command);
        return { status: 200, check: checkSessionPage(draft, id) };
      }
      case 'complete': {
        model.completeSessions(draft, command.completions);
        return { status: 200, check: () => null };
      }
      case 'cancel':
        model.cancelSession(draft, command, this.#noticeMinutes(draft, command.sessionId));
        return { status: 200, check: checkSessionPage(draft, command.sessionId) };
      case 'reopen':
        model.reopenSession(draft, command.sessionId, command.accept);
        return { status: 200, check: checkSessionPage(draft, command.sessionId) };
      case 'join':
        seats.joinLesson(draft, command);
        return { status: 201, check: checkLessonPage(draft, command.lessonId) };
      case 'leave':
        seats.leaveLesson(draft, command);
        return { status: 200, check: checkLessonPage(draft, command.lessonId) };
      case 'cancel seat':
        seats.cancelSeat(draft, command, this.#noticeMinutes(draft, command.sessionId));
        return { status: 200, check: checkSessionPage(draft, command.sessionId) };
      case 'restore seat':
        seats.restoreSeat(draft, command.sessionId, command.studentId);
        return { status: 200, check: checkSessionPage(draft, command.sessionId) };
      case 'undo move': {
        const id = seats.undoMove(draft, command.sessionId);
        return { status: 200, check: checkSessionPage(draft, id) };
      }
      case 'archive student':
        seats.archiveStudent(draft, command.studentId);
        return { status: 200, check: () => null };
      case 'change status': {
        const change = changeStatus(draft, command);
        return { status: 200, check: (body) => studentStatusDifference(change, body) };
      }
      case 'create time off': {
        const timeOff = model.createTimeOff(draft, command);
        const restorableSessions = command.cancelIds.length;
        return {
          status: 201,
          check: (body) => {
            const created = body as { id: number; restorableSessions: number };
            const expected = { id: timeOff.id, restorableSessions };
            const received = { id: created.id, restorableSessions: created.restorableSessions };
            return difference(expected, received, 'time off');
          },
        };
      }
      case 'delete time off': {
        const restored = model.deleteTimeOff(draft, command.id, command.restore);
        return { status: 200, check: (body) => restoredDifference(restored, body) };
      }
      case 'save rate': {
        const changedSeats = prices.saveRate(draft, command);
        return { status: 200, check: (body) => difference({ changedSeats }, body, 'rate') };
      }
      case 'delete rate': {
        const changedSeats = prices.deleteRate(draft, command.id);
        return { status: 200, check: (body) => difference({ changedSeats }, body, 'rate') };
      }
      case 'change subject':
        draft.subjects[command.subjectId] = { fee: command.fee, currency: command.currency };
        return { status: 200, check: () => null };
      case 'create terms': {
        const id = terms.createCalendar(draft, command.terms);
        return { status: 201, check: (body) => calendarDifference(draft, id, body) };
      }
      case 'change terms': {
        const change = terms.changeCalendar(draft, command.id, command.terms);
        return {
          status: 200,
          check: (body) => termsChangeDifference(draft, command.id, change, body),
        };
      }
      case 'delete terms':
        terms.deleteCalendar(draft, command.id);
        return { status: 200, check: () => null };
      case 'policy':
        draft.policy = { noticeHours: command.noticeHours, feePercent: command.feePercent };
        return { status: 200, check: () => null };
    }
    throw new Error('Unknown command');
  }

  #noticeMinutes(state: ScheduleState, sessionId: number): number {
    const { date, start } = getSession(state, sessionId);
    const local = localSeconds(date, Number(start.slice(0, 2)) * 60 + Number(start.slice(3)));
    const startsAt = local - this.#offset(local - this.#offset(local));
    return Math.floor((startsAt - this.#app.clock.now().getTime() / 1000) / 60);
  }

  #compare(): Promise<string | null> {
    return scheduleDifference(this.state, this.#fixture, this.#adminDb);
  }

  /** Slow, so it is called only at the end of a history. */
  checkScreens(): Promise<string | null> {
    return screensDifference(this.state, this.#fixture);
  }
}

const statusDifference = (expected: number, response: ApiResponse<unknown>): string =>
  `the model expects ${expected}, the server returns ${response.status} ${JSON.stringify(response.error).slice(0, 300)}`;

/** The request schema rejects an end date that is before the start date. */
function assertEndsAfterStart(formValues: LessonFormValues): void {
  if (formValues.endDate !== null && formValues.endDate < formValues.date)
    throw new RejectedError(400);
}

const withoutPreviewFlag = (body: unknown): ChangeSummary => {
  const { previewed: _previewed, ...consequences } = body as ChangeSummary & {
    previewed?: boolean;
  };
  return consequences;
};
