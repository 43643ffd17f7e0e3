import { AsyncLocalStorage } from 'node:async_hooks';
import { cancellationPolicy } from '@lessonbook/contract/cancellation-policy-settings';
import { studentContacts } from '@lessonbook/contract/contacts';
import type { Endpoint, EndpointArguments, EndpointReply } from '@lessonbook/contract/endpoint';
import { lessons } from '@lessonbook/contract/lessons';
import type { Currency } from '@lessonbook/contract/money';
import { rates } from '@lessonbook/contract/rates';
import { students } from '@lessonbook/contract/students';
import { buildApp } from '../../../app.ts';
import type { Context } from '../../../context.ts';
import { eventSubscribers } from '../../../event-subscribers.ts';
import { EventBus } from '../../../platform/events.ts';
import { Browser } from '../../browser-client.ts';
import { type TestApp, TestClock } from '../../test-app.ts';
import { createFastFixture } from '../fast-fixture.ts';
import type { Random } from '../random.ts';
import { emptyLedger, type Ledger, orThrow } from './ledger-model.ts';
import { type LedgerState, type ModelSession, plusDays, type WrongRule } from './ledger-state.ts';
import { FROM_START } from './payers-model.ts';
import { automaticPrice } from './prices-model.ts';
import { CURRENCIES } from './random-commands.ts';

/** The tutor for one history, with a separate clock and the server's ids in the model's order. */
export interface LedgerFixture {
  browser: Browser;
  clock: TestClock;
  tutorId: string;
  students: number[];
  carers: number[];
  subjects: number[];
  sessions: number[];
  /** The lesson id of each session. */
  lessons: number[];
  families: Map<string, number>;
}

export const STUDENT_NAMES = ['Maya', 'Noor', 'Ben', 'Ida'];
/** The names that createFastFixture gives to the subjects. */
export const SUBJECT_NAMES = ['Subject 1', 'Subject 2'];
/** One carer with two children, one carer with one child, and one student who pays for herself. */
const CARER_NAMES = ['Ruth Okafor', 'Ruth Okafor', 'Sam Lindqvist', null];

/** The clock of the request that is being handled. */
const requestClock = new AsyncLocalStorage<TestClock>();
const CLOCK_HEADER = 'x-test-clock';
/** By the id of the tutor, which is the value of the header. */
const clocks = new Map<string, TestClock>();
const serverUrls = new WeakMap<TestApp, Promise<string>>();

/** Starts an API on the app's database in which each request has the clock of its history, since histories run concurrently. */
async function startApi(app: TestApp): Promise<string> {
  const events = new EventBus<Context>(eventSubscribers);
  const context: Context = {
    ...app.context,
    clock: { now: () => (requestClock.getStore() ?? app.clock).now() },
    events: { publish: (tx, event, payload) => events.publish(context, tx, event, payload) },
  };
  const http = await buildApp(context);
  http.fastify.server.prependListener('request', ({ headers }) => {
    requestClock.enterWith(orThrow(clocks.get(String(headers[CLOCK_HEADER]))));
  });
  app.http.fastify.server.once('close', () => void http.stop());
  return http.fastify.listen({ host: '127.0.0.1', port: 0 });
}

function getApiUrl(app: TestApp): Promise<string> {
  const url = serverUrls.get(app) ?? startApi(app);
  serverUrls.set(app, url);
  return url;
}

/** Calls an endpoint that must succeed, and returns the body. */
export async function callOrThrow<E extends Endpoint>(
  { browser }: Pick<LedgerFixture, 'browser'>,
  endpoint: E,
  ...input: EndpointArguments<E>
): Promise<EndpointReply<E>> {
  const { status, body, error } = await browser.call(endpoint, ...input);
  if (status >= 400)
    throw new Error(`${endpoint.path} returned ${status} ${JSON.stringify(error)}`);
  return body;
}

export async function createLedgerFixture(
  app: TestApp,
  random: Random,
  order: Ledger['order'],
  wrongRule: WrongRule | null = null,
): Promise<{ fixture: LedgerFixture; state: LedgerState }> {
  const {
    tutorId,
    subjectIds,
    browser: fastBrowser,
  } = await createFastFixture(app, 'Europe/London', 0);
  const headers = { [CLOCK_HEADER]: tutorId };
  const browser = new Browser(await getApiUrl(app), app.context.config.origin, headers);
  browser.cookies = fastBrowser.cookies;
  const clock = new TestClock();
  clocks.set(tutorId, clock);
  const fixture: LedgerFixture = {
    browser,
    clock,
    tutorId,
    students: [],
    carers: [],
    subjects: subjectIds,
    sessions: [],
    lessons: [],
    families: new Map(),
  };
  const state: LedgerState = {
    ledger: emptyLedger(order),
    sessions: [],
    payers: [],
    contacts: [],
    invoices: [],
    creditNotes: [],
    rates: [],
    wrongRule,
    policy: { noticeHours: 24, feePercent: random.pick([100, 100, 50, 33]) },
    now: '2026-11-16 12:00',
  };
  await callOrThrow(fixture, cancellationPolicy.updatePolicy, {
    body: { tiers: [state.policy] },
  });
  await createStudents(fixture, state);
  await splitCharges(fixture, state, random);
  await createRates(fixture, state, random);
  await createLessons(fixture, state, random);
  return { fixture, state };
}

async function createStudents(fixture: LedgerFixture, state: LedgerState): Promise<void> {
  for (const [index, name] of STUDENT_NAMES.entries()) {
    const carerName = CARER_NAMES[index] ?? null;
    const isSibling = CARER_NAMES.indexOf(carerName) < index;
    const carer = isSibling ? { carerId: fixture.carers.at(-1) ?? null } : { carerName };
    const body = { name, ...carer };
    const student = await callOrThrow(fixture, students.createStudent, { body });
    if (student.carerId !== null && !isSibling) fixture.carers.push(student.carerId);
    fixture.students.push(student.id);
    const payer = carerName ? `carer ${fixture.carers.length}` : `student ${index + 1}`;
    state.payers.push([{ from: FROM_START, shares: [{ payer, percent: 100 }] }]);
    state.contacts.push([payer]);
    fixture.families.set(payer, orThrow(student.familyId ?? undefined));
  }
}

/** The charges for some children are split between both carers from the start. */
async function splitCharges(
  fixture: LedgerFixture,
  state: LedgerState,
  random: Random,
): Promise<void> {
  for (const [index, [main]] of state.contacts.entries()) {
    if (!main?.startsWith('carer') || random.chance(0.6)) continue;
    const payers = [main, main === 'carer 1' ? 'carer 2' : 'carer 1'];
    const ids = payers.map((payer) => orThrow(fixture.carers[Number(payer.slice(6)) - 1]));
    const percent = random.pick([33, 50, 60]);
    const percents = [percent, 100 - percent];
    const params = { id: orThrow(fixture.students[index]) };
    const contact = { contactId: orThrow(ids[1]) };
    await callOrThrow(fixture, studentContacts.addContact, { params, body: contact });
    const body = {
      from: FROM_START,
      payers: ids.map((contactId, n) => ({ contactId, percent: orThrow(percents[n]) })),
    };
    await callOrThrow(fixture, studentContacts.setPayers, { params, body });
    const shares = payers.map((payer, n) => ({ payer, percent: orThrow(percents[n]) }));
    Object.assign(state.payers, { [index]: [{ from: FROM_START, shares }] });
    Object.assign(state.contacts, { [index]: payers });
  }
}

async function createRates(
  fixture: LedgerFixture,
  state: LedgerState,
  random: Random,
): Promise<void> {
  for (const [index, studentId] of fixture.students.entries()) {
    if (random.chance(0.6)) continue;
    const subject = random.between(1, 2);
    const amount = random.between(2000, 4600);
    const unit = random.pick(['hour', 'lesson'] as const);
    const from = plusDays('2026-11-16', random.between(-20, 30));
    state.rates.push({ student: index + 1, subject, amount, unit, from });
    const subjectId = orThrow(fixture.subjects[subject - 1]);
    const body = { studentId, subjectId, amount: amount / 100, unit, validFrom: from };
    await callOrThrow(fixture, rates.saveRate, { body });
  }
}

/** Students who are in the lesson with another one, some with a price of their own; null is free. */
function randomGroup(
  random: Random,
  student: number,
): { student: number; ownFee?: number | null }[] {
  const others = random.chance(0.5)
    ? STUDENT_NAMES.map((_, index) => index + 1).filter((n) => n !== student && random.chance(0.6))
    : [];
  return [student, ...others].map((n) => ({
    student: n,
    ...(random.chance(0.2) ? { ownFee: random.pick([null, random.between(1000, 3000)]) } : {}),
  }));
}

/** Creates a weekly lesson for each student and some one-off lessons in the past, each at a different hour. */
async function createLessons(
  fixture: LedgerFixture,
  state: LedgerState,
  random: Random,
): Promise<void> {
  const pastStudents = Array.from({ length: 3 }, () => random.between(1, 4));
  for (const [index, student] of [1, 2, 3, 4, ...pastStudents].entries()) {
    const isWeekly = index < 4;
    const date = plusDays('2026-11-16', isWeekly ? random.between(0, 6) : -random.between(1, 14));
    const hour = 13 + index;
    const [startTime, endTime] = [`${hour}:00`, `${hour}:50`] as const;
    const subject = random.between(1, 2);
    const usesRates = random.chance(0.5);
    const currency: Currency = usesRates ? 'GBP' : random.pick(CURRENCIES);
    const fee = random.chance(0.06) ? null : random.between(2000, 4600);
    const group = randomGroup(random, student);
    const saved = await callOrThrow(fixture, lessons.createLesson, {
      body: {
        studentId: orThrow(fixture.students[student - 1]),
        subjectId: orThrow(fixture.subjects[subject - 1]),
        title: `lesson ${index + 1}`,
        date,
        startTime,
        endTime,
        fee: fee === null ? null : fee / 100,
        students: group.map(({ student: n, ownFee }) => ({
          studentId: orThrow(fixture.students[n - 1]),
          ...(ownFee === undefined ? {} : { fee: ownFee === null ? null : ownFee / 100 }),
        })),
        currency,
        usesRates,
        isRecurring: isWeekly,
        recurringPattern: 'weekly',
        recurringEndDate: isWeekly ? plusDays(date, 28) : null,
        acceptOverlaps: true,
      },
    });
    // The sessions of a new lesson have consecutive ids, ordered by date.
    for (let week = 0; week < (isWeekly ? 5 : 1); week++) {
      const common = { subject, currency, start: startTime, date: plusDays(date, 7 * week) };
      const priceOf = (n: number, ownFee: number | null | undefined) =>
        usesRates && ownFee === undefined
          ? automaticPrice(state, { student: n, subject }, common.date)
          : { fee: ownFee === undefined ? fee : ownFee, source: 'entered' as const };
      const session: ModelSession = {
        n: state.sessions.length + 1,
        ...common,
        seats: group.map(({ student: n, ownFee }) => ({
          student: n,
          ...priceOf(n, ownFee),
          cancelled: false,
          charged: false,
        })),
        status: 'scheduled',
        movedFrom: null,
        movedTo: null,
      };
      state.sessions.push(session);
      fixture.lessons.push(saved.lessonId);
      fixture.sessions.push(orThrow(saved.sessionId ?? undefined) + week);
    }
  }
}
