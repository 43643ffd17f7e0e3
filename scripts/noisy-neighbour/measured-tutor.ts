import { setTimeout as sleep } from 'node:timers/promises';
import { accounts } from '@lessonbook/contract/accounts';
import { addDaysToDate } from '@lessonbook/contract/dates';
import { sessions } from '@lessonbook/contract/sessions';
import type { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import {
  createStudent,
  createSubject,
} from '@lessonbook/server/src/test/create-student-and-subject.ts';
import { addPaymentInstructions, PASSWORD } from '@lessonbook/server/src/test/create-tutor.ts';
import { addLesson } from '@lessonbook/server/src/test/lesson-fixture.ts';
import { NETWORKS, type Target } from './start-system-under-test.ts';

export const SAMPLE_KINDS = ['dashboard', 'lesson', 'mail'] as const;
export type SampleKind = (typeof SAMPLE_KINDS)[number];

/** One of tutor B's calls; for an email, `ms` is the time until it arrived. */
export interface Sample {
  kind: SampleKind;
  /** The index of the API that was called; the first one, 0, is under attack. */
  api: number;
  ms: number;
  /** 0 if there was no response, or no email, in time. */
  status: number;
}

/** A call without a response is abandoned after this time. */
const TIMEOUT_MS = 15_000;
const PAUSE_MS: Record<SampleKind, number> = { dashboard: 25, lesson: 100, mail: 80 };
const FAMILIES = 10;
const LESSON_DAYS = 300;

/** Tutor B, whose calls must stay fast no matter what other callers do. */
export class MeasuredTutor {
  readonly #target: Target;
  readonly tutorId: string;
  readonly #cookies: Map<string, string>;
  readonly #student: { id: number; subjectId: number };
  readonly #familyIds: readonly number[];
  #lessonCount = 0;
  #mailCount = 0;

  private constructor(
    target: Target,
    tutorId: string,
    browser: Browser,
    student: { id: number; subjectId: number },
    familyIds: readonly number[],
  ) {
    this.#target = target;
    this.tutorId = tutorId;
    this.#cookies = browser.cookies;
    this.#student = student;
    this.#familyIds = familyIds;
  }

  /** Signs up tutor B with ten families, each of which owes money for one lesson. */
  static async create(target: Target): Promise<MeasuredTutor> {
    const browser = target.browser(target.app.url, NETWORKS.measuredTutor);
    const body = {
      name: 'Tutor B',
      email: 'tutor.b@example.com',
      username: 'tutor.b',
      password: PASSWORD,
      timeZone: 'Europe/London',
    };
    await browser.call(accounts.signup, { body });
    await browser.call(accounts.login, { body: { username: body.username, password: PASSWORD } });
    await addPaymentInstructions(target, body);
    const tutorId = await verifyAndBackdateAccount(target, body.username);
    const subject = await createSubject(browser);
    const today = new Date().toISOString().slice(0, 10);
    const familyIds: number[] = [];
    let studentId = 0;
    for (let number = 1; number <= FAMILIES; number += 1) {
      const student = await createStudent(browser, {
        name: `Student ${number}`,
        carerName: `Carer ${number}`,
        carerEmail: `carer${number}@family.example`,
      });
      studentId = student.id;
      const { sessionId } = await addLesson(
        { browser, studentId, subjectId: subject.id },
        { date: addDaysToDate(today, -number), acceptOverlaps: true },
      );
      await browser.call(sessions.completeSession, { params: { id: sessionId }, body: {} });
      familyIds.push(student.familyId as number);
    }
    return new MeasuredTutor(
      target,
      tutorId,
      browser,
      { id: studentId, subjectId: subject.id },
      familyIds,
    );
  }

  /** Calls both APIs until it is stopped, and returns after the last response. */
  start(): { count: () => number; stop: () => Promise<Sample[]> } {
    const samples: Sample[] = [];
    const stopController = new AbortController();
    const repeat = async (kind: SampleKind, call: (round: number) => Promise<Sample>) => {
      for (let round = 0; !stopController.signal.aborted; round += 1) {
        samples.push(await call(round));
        await sleep(PAUSE_MS[kind]);
      }
    };
    const loops = Promise.all([
      repeat('dashboard', () => this.#loadDashboard(0)),
      repeat('dashboard', () => this.#loadDashboard(1)),
      repeat('lesson', (round) => this.#saveLesson(round % 2)),
      repeat('mail', (round) => this.#receiveMail(round % 2)),
    ]);
    return {
      count: () => samples.length,
      stop: async () => {
        stopController.abort();
        await loops;
        return samples;
      },
    };
  }

  async #loadDashboard(api: number): Promise<Sample> {
    const start = performance.now();
    const status = await this.#send(api, 'GET', '/api/dashboard');
    return { kind: 'dashboard', api, status, ms: performance.now() - start };
  }

  async #saveLesson(api: number): Promise<Sample> {
    const number = (this.#lessonCount += 1);
    const today = new Date().toISOString().slice(0, 10);
    const hour = 8 + (Math.floor(number / LESSON_DAYS) % 12);
    const twoDigits = (value: number) => String(value).padStart(2, '0');
    const start = performance.now();
    const status = await this.#send(api, 'POST', '/api/lessons', {
      studentId: this.#student.id,
      subjectId: this.#student.subjectId,
      title: "Tutor B's lesson",
      date: addDaysToDate(today, 1 + (number % LESSON_DAYS)),
      startTime: `${twoDigits(hour)}:00`,
      endTime: `${twoDigits(hour)}:45`,
      fee: 30,
      acceptOverlaps: true,
    });
    return { kind: 'lesson', api, status, ms: performance.now() - start };
  }

  async #receiveMail(api: number): Promise<Sample> {
    const number = (this.#mailCount += 1);
    const subject = `Tutor B's email ${number}`;
    const start = performance.now();
    const status = await this.#send(api, 'POST', '/api/reminders', {
      familyId: this.#familyIds[number % FAMILIES],
      channel: 'email',
      subject,
    });
    if (status === 0 || status >= 300)
      return { kind: 'mail', api, status, ms: performance.now() - start };
    const arrived = await this.#target.app.mailbox
      .waitFor((mail) => mail.subject === subject, TIMEOUT_MS)
      .catch(() => undefined);
    const ms = performance.now() - start;
    return { kind: 'mail', api, status: arrived ? status : 0, ms };
  }

  /** Returns the status; 0 means that there was no response. */
  async #send(api: number, method: string, path: string, body?: unknown): Promise<number> {
    const browser = this.#target.browser(this.#target.apis()[api]?.url, NETWORKS.measuredTutor);
    browser.cookies = new Map(this.#cookies);
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      return (await browser.send(method, path, body, {}, signal)).status;
    } catch {
      return 0;
    }
  }
}

/** Verifies the address and makes the account two years old, since new accounts may have lower limits. */
export async function verifyAndBackdateAccount(target: Target, username: string): Promise<string> {
  const { rows } = await target.admin.query<{ tutor_id: string }>(
    `update login_directory set email_verified_at = now() where username = $1 returning tutor_id`,
    [username],
  );
  const tutorId = rows[0]?.tutor_id;
  if (tutorId === undefined) throw new Error(`${username} has not signed up`);
  await target.admin.query(
    `update tutors set created_at = now() - interval '2 years' where tutor_id = $1`,
    [tutorId],
  );
  return tutorId;
}
