import { accounts } from '@lessonbook/contract/accounts';
import { calendar } from '@lessonbook/contract/calendar';
import { addDaysToDate } from '@lessonbook/contract/dates';
import { lessons } from '@lessonbook/contract/lessons';
import { type SessionRow, sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import type { FakeGoogle } from '@lessonbook/fakes/google';
import type { Browser } from './browser-client.ts';
import { connectGoogleCalendar } from './calendar-test-app.ts';
import { createStudent, createSubject } from './create-student-and-subject.ts';
import { reauthenticate } from './create-tutor.ts';
import type { Random } from './model/random.ts';

/* A random history for one tutor: changes to lessons, changes in Google Calendar, and faults. */

const TIME_ZONES = ['Europe/London', 'America/New_York', 'Asia/Kolkata', 'Australia/Sydney'];
const STUDENT_NAMES = ['Maya Okafor', 'Leo Hart', 'Iris, Ann', 'Zoë "Zo" Lind'];
const PLACES = ['Library', 'Online', '12 High St; back door', undefined];

const FAULTS = [
  { kind: 'status', status: 503 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 429 },
  { kind: 'status', status: 403, reason: 'rateLimitExceeded' },
  { kind: 'reset' },
  { kind: 'done-then-reset' },
  { kind: 'done-then-reset' },
  { kind: 'slow', ms: 300 },
] as const;

export class CalendarSimulation {
  readonly user: string;
  readonly #random: Random;
  readonly #google: FakeGoogle;
  readonly #browser: Browser;
  #today = '';
  #students: number[] = [];
  #subjectId = 0;
  /** Number of sessions that the tutor moved, either directly or by accepting a change. Nothing else may move sessions. */
  movedCount = 0;
  #firstRunEndedAt: Date | null = null;

  constructor(google: FakeGoogle, browser: Browser, random: Random, user: string) {
    this.#google = google;
    this.#browser = browser;
    this.#random = random;
    this.user = user;
  }

  async setUp(): Promise<void> {
    this.#today = (await this.#browser.call(accounts.me)).body.today;
    for (const name of STUDENT_NAMES.slice(0, 2)) {
      this.#students.push((await createStudent(this.#browser, { name })).id);
    }
    this.#subjectId = (await createSubject(this.#browser)).id;
    await this.#addLesson();
    await this.connect();
    await this.#addLesson();
  }

  async connect(): Promise<void> {
    await connectGoogleCalendar(this.#google, this.#browser, { user: this.user });
  }

  async step(): Promise<void> {
    const random = this.#random;
    const lessonbookActions = [
      () => this.#addLesson(),
      () => this.#move(),
      () => this.#move(),
      () => this.#cancel(),
      () => this.#reopen(),
      () => this.#changeSeries(),
      () => this.#rename(),
      () => this.#changeTimeZone(),
    ];
    const googleActions = [
      () => this.#editInGoogle('move'),
      () => this.#editInGoogle('move'),
      () => this.#editInGoogle('rename'),
      () => this.#editInGoogle('delete'),
      () => this.#editInGoogle('restore'),
      () => this.#editInGoogle('remove conference'),
      () => this.resolveExternalChanges(),
      () => this.resolveExternalChanges(),
    ];
    const faults = [
      () => this.#addFault(),
      () => this.#addFault(),
      () => this.#addFault(),
      () => this.#google.control.expireSyncTokens(),
      () => this.#google.control.expireAccessTokens(this.user),
      () => this.#google.control.revoke(this.user).then(() => this.connect()),
      () => this.#disconnect(),
      () => this.#google.control.dropChannels().then(() => undefined),
      () => this.#deleteCalendar(),
    ];
    const roll = random.next();
    if (roll < 0.35) await random.pick(lessonbookActions)();
    else if (roll < 0.7) await random.pick(googleActions)();
    else if (roll < 0.82) await random.pick(faults)();
    else await this.#wait();
  }

  /** Gives the sync up to a second to catch up, so that some of the changes in Google affect a synced calendar. */
  async #wait(): Promise<void> {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const { body } = await this.#browser.call(calendar.calendarStatus);
      if (body.waiting === 0 && !body.initialSyncRunning) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async #listSessions(): Promise<SessionRow[]> {
    const query = { from: this.#today, to: addDaysToDate(this.#today, 61) };
    return (await this.#browser.call(sessions.listSessions, { query })).body;
  }

  async #pickScheduled(): Promise<SessionRow | undefined> {
    const scheduled = (await this.#listSessions()).filter((row) => row.status === 'scheduled');
    return scheduled.length > 0 ? this.#random.pick(scheduled) : undefined;
  }

  #randomSlot() {
    const hour = this.#random.between(7, 20);
    const minute = this.#random.pick(['00', '15', '30', '45']);
    const formatTime = (atHour: number) => `${String(atHour).padStart(2, '0')}:${minute}`;
    return {
      // Today is included, so that a change of time zone can move sessions to before the calendar was connected.
      date: addDaysToDate(this.#today, this.#random.between(0, 60)),
      startTime: formatTime(hour),
      endTime: formatTime(hour + this.#random.between(1, 2)),
    };
  }

  async #addLesson(): Promise<void> {
    const random = this.#random;
    const slot = this.#randomSlot();
    const place = random.pick(PLACES);
    const recurrence = random.chance(0.5)
      ? { isRecurring: true, recurringEndDate: addDaysToDate(slot.date, random.between(7, 50)) }
      : {};
    await this.#browser.call(lessons.createLesson, {
      body: {
        studentId: random.pick(this.#students),
        subjectId: this.#subjectId,
        title: 'Lesson',
        fee: 30,
        acceptOverlaps: true,
        ...slot,
        ...recurrence,
        ...(place === undefined ? {} : { place }),
        // Rejected while the calendar is disconnected.
        usesGoogleMeet: random.chance(0.3),
      },
    });
  }

  async #move(): Promise<void> {
    const session = await this.#pickScheduled();
    if (!session) return;
    const response = await this.#browser.call(sessions.rescheduleSession, {
      params: { id: session.id },
      body: { ...this.#randomSlot(), acceptOverlaps: true },
    });
    if (response.status === 200 && response.body.id !== session.id) this.movedCount += 1;
  }

  async #cancel(): Promise<void> {
    const session = await this.#pickScheduled();
    if (!session) return;
    await this.#browser.call(sessions.cancelSession, {
      params: { id: session.id },
      body: { cancelledBy: 'student' },
    });
  }

  async #reopen(): Promise<void> {
    const cancelled = (await this.#listSessions()).filter((row) => row.status === 'cancelled');
    if (cancelled.length === 0) return;
    await this.#browser.call(sessions.reopenSession, {
      params: { id: this.#random.pick(cancelled).id },
      body: { acceptOverlaps: true },
    });
  }

  async #changeSeries(): Promise<void> {
    const session = await this.#pickScheduled();
    if (!session?.isRecurring) return;
    const params = { id: session.lessonId };
    const { body: lesson } = await this.#browser.call(lessons.lesson, { params });
    const { startTime, endTime } = this.#randomSlot();
    await this.#browser.call(lessons.updateLesson, {
      params,
      body: {
        studentId: lesson.studentId,
        subjectId: lesson.subjectId,
        title: lesson.title,
        fee: 30,
        isRecurring: true,
        recurringPattern: lesson.recurringPattern,
        recurringEndDate: lesson.recurringEndDate,
        place: this.#random.pick(PLACES),
        usesGoogleMeet: this.#random.chance(0.3),
        date: session.date,
        startTime,
        endTime,
        scope: this.#random.pick(['following', 'all'] as const),
        sessionId: session.id,
        acceptOverlaps: true,
      },
    });
  }

  async #rename(): Promise<void> {
    await this.#browser.call(students.updateStudent, {
      params: { id: this.#random.pick(this.#students) },
      body: { name: this.#random.pick(STUDENT_NAMES) },
    });
  }

  async #changeTimeZone(): Promise<void> {
    const { name, email } = (await this.#browser.call(accounts.me)).body;
    const timeZone = this.#random.pick(TIME_ZONES);
    await reauthenticate(this.#browser);
    await this.#browser.call(accounts.updateMe, { body: { name, email, timeZone } });
  }

  /** Edits an event in Google. */
  async #editInGoogle(
    edit: 'move' | 'rename' | 'delete' | 'restore' | 'remove conference',
  ): Promise<void> {
    const { control } = this.#google;
    const [report] = await control.report(this.user);
    const current = report?.calendars.findLast((each) => !each.deleted);
    const status = edit === 'restore' ? 'cancelled' : 'confirmed';
    const events = (current?.events ?? []).filter((event) => event.status === status);
    if (!current || events.length === 0) return;
    const event = { eventId: this.#random.pick(events).id, calendarId: current.id };
    const { date, startTime } = this.#randomSlot();
    try {
      if (edit === 'move') await control.moveEvent(event, { start: `${date}T${startTime}` });
      else if (edit === 'rename') await control.renameEvent(event, 'Something else');
      else if (edit === 'delete') await control.deleteEvent(event);
      else if (edit === 'remove conference') await control.removeConference(event);
      else await control.restoreEvent(event);
    } catch {
      // The sync has changed the event in the meantime.
    }
  }

  /** Accepts or reverts all changes made in Google. Returns how many there were. */
  async resolveExternalChanges(): Promise<number> {
    const changes = await this.#browser.call(calendar.listExternalChanges, { query: {} });
    for (const { id, kind } of changes.body) {
      const params = { id };
      if (this.#random.chance(0.5)) {
        await this.#browser.call(calendar.revertExternalChange, { params });
        continue;
      }
      const body = { acceptOverlaps: true };
      const { status } = await this.#browser.call(calendar.acceptExternalChange, { params, body });
      if (status === 200 && kind === 'moved') this.movedCount += 1;
    }
    return changes.body.length;
  }

  async #addFault(): Promise<void> {
    const fault = this.#random.pick(FAULTS);
    await this.#google.control.addFault({ ...fault, times: this.#random.between(1, 3) });
  }

  async #disconnect(): Promise<void> {
    await this.#browser.call(calendar.disconnectCalendar);
    await this.connect();
  }

  async #deleteCalendar(): Promise<void> {
    if (!this.#random.chance(0.3)) return;
    const [report] = await this.#google.control.report(this.user);
    const current = report?.calendars.findLast((each) => !each.deleted);
    if (current) await this.#google.control.deleteCalendar(current.id);
  }

  /**
   * Whether the calendar is in sync after the faults have stopped. Sync runs are sequential, so the second run to end after
   * `since` also started after it and has seen all changes.
   */
  async isIdle(since: Date): Promise<boolean> {
    const { body } = await this.#browser.call(calendar.calendarStatus);
    if (!body.connected) {
      await this.connect();
      return false;
    }
    const endedAt = new Date(body.lastSyncAt ?? 0);
    if (endedAt < since) return false;
    const hasSecondRun = this.#firstRunEndedAt !== null && endedAt > this.#firstRunEndedAt;
    this.#firstRunEndedAt ??= endedAt;
    const resolved = await this.resolveExternalChanges();
    const isInSync = body.waiting === 0 && !body.initialSyncRunning && body.problem === null;
    return hasSecondRun && isInSync && resolved === 0;
  }
}
