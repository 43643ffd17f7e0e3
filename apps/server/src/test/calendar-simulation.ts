import { accounts } from '@lessonbook/contract/accounts';
import { calendar } from '@lessonbook/contract/calendar';
import { plusDays } from '@lessonbook/contract/dates';
import { lessons } from '@lessonbook/contract/lessons';
import { type SessionRow, sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import type { FakeGoogle } from '@lessonbook/fakes/google';
import type { Browser } from './browser.ts';
import { connectGoogleCalendar } from './calendar-test-app.ts';
import { newStudent, newSubject } from './factories.ts';
import type { Random } from './model/random.ts';

/* One tutor's weeks, made up: the book is changed, the calendar at Google is changed, and now and then something breaks. */

const ZONES = ['Europe/London', 'America/New_York', 'Asia/Kolkata', 'Australia/Sydney'];
const NAMES = ['Maya Okafor', 'Leo Hart', 'Iris, Ann', 'Zoë "Zo" Lind'];
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
  /** Sessions that the tutor moved, here or by accepting; nothing else may. */
  moved = 0;
  #endedAt: Date | null = null;

  constructor(google: FakeGoogle, browser: Browser, random: Random, user: string) {
    this.#google = google;
    this.#browser = browser;
    this.#random = random;
    this.user = user;
  }

  async setUp(): Promise<void> {
    this.#today = (await this.#browser.call(accounts.me)).body.today;
    for (const name of NAMES.slice(0, 2)) {
      this.#students.push((await newStudent(this.#browser, { name })).id);
    }
    this.#subjectId = (await newSubject(this.#browser)).id;
    await this.#addLesson();
    await this.connect();
    await this.#addLesson();
  }

  async connect(): Promise<void> {
    await connectGoogleCalendar(this.#google, this.#browser, { user: this.user });
  }

  async step(): Promise<void> {
    const random = this.#random;
    const inBook = [
      () => this.#addLesson(),
      () => this.#move(),
      () => this.#move(),
      () => this.#cancel(),
      () => this.#reopen(),
      () => this.#changeSeries(),
      () => this.#rename(),
      () => this.#moveHouse(),
    ];
    const inGoogle = [
      () => this.#touch('move'),
      () => this.#touch('move'),
      () => this.#touch('rename'),
      () => this.#touch('delete'),
      () => this.#touch('restore'),
      () => this.resolveProposals(),
      () => this.resolveProposals(),
    ];
    const breaking = [
      () => this.#fault(),
      () => this.#fault(),
      () => this.#fault(),
      () => this.#google.control.expireSyncTokens(),
      () => this.#google.control.expireAccessTokens(this.user),
      () => this.#google.control.revoke(this.user).then(() => this.connect()),
      () => this.#disconnect(),
      () => this.#google.control.dropChannels().then(() => undefined),
      () => this.#deleteCalendar(),
    ];
    const kind = random.next();
    if (kind < 0.35) await random.pick(inBook)();
    else if (kind < 0.7) await random.pick(inGoogle)();
    else if (kind < 0.82) await random.pick(breaking)();
    else await this.#wait();
  }

  /** For the calendar to catch up, if it can: what is done in Google then meets a calendar that is in step. */
  async #wait(): Promise<void> {
    for (let turn = 0; turn < 10; turn += 1) {
      const { body } = await this.#browser.call(calendar.calendarStatus);
      if (body.waiting === 0 && !body.initialSyncRunning) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async #rows(): Promise<SessionRow[]> {
    const query = { from: this.#today, to: plusDays(this.#today, 61) };
    return (await this.#browser.call(sessions.listSessions, { query })).body;
  }

  async #scheduled(): Promise<SessionRow | undefined> {
    const open = (await this.#rows()).filter((row) => row.status === 'scheduled');
    return open.length > 0 ? this.#random.pick(open) : undefined;
  }

  #when() {
    const hour = this.#random.between(7, 20);
    const minute = this.#random.pick(['00', '15', '30', '45']);
    const time = (at: number) => `${String(at).padStart(2, '0')}:${minute}`;
    return {
      date: plusDays(this.#today, this.#random.between(1, 60)),
      startTime: time(hour),
      endTime: time(hour + this.#random.between(1, 2)),
    };
  }

  async #addLesson(): Promise<void> {
    const random = this.#random;
    const when = this.#when();
    const place = random.pick(PLACES);
    const weekly = random.chance(0.5)
      ? { isRecurring: true, recurringEndDate: plusDays(when.date, random.between(7, 50)) }
      : {};
    await this.#browser.call(lessons.createLesson, {
      body: {
        studentId: random.pick(this.#students),
        subjectId: this.#subjectId,
        title: 'Lesson',
        fee: 30,
        acceptOverlaps: true,
        ...when,
        ...weekly,
        ...(place === undefined ? {} : { place }),
      },
    });
  }

  async #move(): Promise<void> {
    const session = await this.#scheduled();
    if (!session) return;
    const answer = await this.#browser.call(sessions.rescheduleSession, {
      params: { id: session.id },
      body: { ...this.#when(), acceptOverlaps: true },
    });
    if (answer.status === 200 && answer.body.id !== session.id) this.moved += 1;
  }

  async #cancel(): Promise<void> {
    const session = await this.#scheduled();
    if (!session) return;
    await this.#browser.call(sessions.cancelSession, {
      params: { id: session.id },
      body: { cancelledBy: 'student' },
    });
  }

  async #reopen(): Promise<void> {
    const cancelled = (await this.#rows()).filter((row) => row.status === 'cancelled');
    if (cancelled.length === 0) return;
    await this.#browser.call(sessions.reopenSession, {
      params: { id: this.#random.pick(cancelled).id },
      body: { acceptOverlaps: true },
    });
  }

  async #changeSeries(): Promise<void> {
    const session = await this.#scheduled();
    if (!session?.isRecurring) return;
    const params = { id: session.lessonId };
    const { body: lesson } = await this.#browser.call(lessons.lesson, { params });
    const { startTime, endTime } = this.#when();
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
      body: { name: this.#random.pick(NAMES) },
    });
  }

  async #moveHouse(): Promise<void> {
    const { name, email } = (await this.#browser.call(accounts.me)).body;
    const timeZone = this.#random.pick(ZONES);
    await this.#browser.call(accounts.updateMe, { body: { name, email, timeZone } });
  }

  /** The tutor's own hand in Google's pages. */
  async #touch(how: 'move' | 'rename' | 'delete' | 'restore'): Promise<void> {
    const { control } = this.#google;
    const [books] = await control.report(this.user);
    const place = books?.calendars.findLast((each) => !each.deleted);
    const wanted = how === 'restore' ? 'cancelled' : 'confirmed';
    const events = (place?.events ?? []).filter((event) => event.status === wanted);
    if (!place || events.length === 0) return;
    const at = { eventId: this.#random.pick(events).id, calendarId: place.id };
    const { date, startTime } = this.#when();
    try {
      if (how === 'move') await control.moveEvent(at, { start: `${date}T${startTime}` });
      else if (how === 'rename') await control.renameEvent(at, 'Something else');
      else if (how === 'delete') await control.deleteEvent(at);
      else await control.restoreEvent(at);
    } catch {
      // We were quicker: it is not there like that any more.
    }
  }

  /** Accepts or puts back what was asked about. Gives how much that was. */
  async resolveProposals(): Promise<number> {
    const asked = await this.#browser.call(calendar.listExternalChanges, { query: {} });
    for (const { id, kind } of asked.body) {
      const params = { id };
      if (this.#random.chance(0.5)) {
        await this.#browser.call(calendar.revertExternalChange, { params });
        continue;
      }
      const body = { acceptOverlaps: true };
      const { status } = await this.#browser.call(calendar.acceptExternalChange, { params, body });
      if (status === 200 && kind === 'moved') this.moved += 1;
    }
    return asked.body.length;
  }

  async #fault(): Promise<void> {
    const fault = this.#random.pick(FAULTS);
    await this.#google.control.addFault({ ...fault, times: this.#random.between(1, 3) });
  }

  async #disconnect(): Promise<void> {
    await this.#browser.call(calendar.disconnectCalendar);
    await this.connect();
  }

  async #deleteCalendar(): Promise<void> {
    if (!this.#random.chance(0.3)) return;
    const [books] = await this.#google.control.report(this.user);
    const place = books?.calendars.findLast((each) => !each.deleted);
    if (place) await this.#google.control.deleteCalendar(place.id);
  }

  /**
   * How it stands, once everything that was broken is mended. Turns come one after the other: the second that ends after
   * `since` has begun after it, and so has seen all of it.
   */
  async checkSettled(since: Date): Promise<'in step' | 'not yet'> {
    const { body } = await this.#browser.call(calendar.calendarStatus);
    if (!body.connected) {
      await this.connect();
      return 'not yet';
    }
    const endedAt = new Date(body.lastSyncAt ?? 0);
    if (endedAt < since) return 'not yet';
    const looked = this.#endedAt !== null && endedAt > this.#endedAt;
    this.#endedAt ??= endedAt;
    const decided = await this.resolveProposals();
    const settled = body.waiting === 0 && !body.initialSyncRunning && body.problem === null;
    return looked && settled && decided === 0 ? 'in step' : 'not yet';
  }
}
