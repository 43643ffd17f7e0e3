import { AsyncLocalStorage } from 'node:async_hooks';
import { cancellationPolicy } from '@lessonbook/contract/cancellation-policy-settings';
import type { Endpoint, EndpointArguments, EndpointReply } from '@lessonbook/contract/endpoint';
import { lessons } from '@lessonbook/contract/lessons';
import type { Currency } from '@lessonbook/contract/money';
import { portal } from '@lessonbook/contract/portal';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { rates } from '@lessonbook/contract/rates';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import { students } from '@lessonbook/contract/students';
import { add24HourDays } from '@lessonbook/contract/time';
import { buildApp } from '../../../app.ts';
import type { Context } from '../../../context.ts';
import { checkInstalmentsOfTutor } from '../../../domains/payments/service/instalment-plans.ts';
import { insertPortalLogin } from '../../../domains/portal/queries/contact-directory-and-portal-logins.ts';
import { hashAddress } from '../../../domains/portal/service/hash-email-or-phone.ts';
import { eventSubscribers } from '../../../event-subscribers.ts';
import { randomToken, sha256 } from '../../../platform/crypto/tokens.ts';
import { EventBus } from '../../../platform/events.ts';
import { CONTACT_COOKIE_SUFFIX } from '../../../platform/http/cookies.ts';
import { Browser } from '../../browser-client.ts';
import { type TestApp, TestClock } from '../../test-app.ts';
import { insertTutorFixture } from '../insert-tutor-fixture.ts';
import type { Random } from '../random.ts';
import { emptyLedger, FIRST_DAY, type Ledger, requireDefined } from './ledger-model.ts';
import { type LedgerState, type ModelSession, plusDays, type WrongRule } from './ledger-state.ts';
import { FROM_START } from './payers-model.ts';
import { automaticPrice } from './prices-model.ts';
import { CURRENCIES } from './random-picks.ts';

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
  /** Returns a copy of the browser that sends this idempotency key. */
  withKey: (key: string, original?: Browser) => Browser;
  /** The browser of a payer who is signed in to the portal. */
  portal: (payer: string) => Promise<PortalVisit>;
  fetchFile: (path: string) => Promise<Uint8Array>;
  /** Runs the job that marks instalments if it is scheduled for now or earlier. */
  runDueJob: () => Promise<void>;
}

interface PortalVisit {
  browser: Browser;
  publicId: string;
}

export const STUDENT_NAMES = ['Maya', 'Noor', 'Ben', 'Ida'];
/** The names that insertTutorFixture gives to the subjects. */
export const SUBJECT_NAMES = ['Subject 1', 'Subject 2'];
/** One carer with two children, one carer with one child, and one student who pays for herself. */
const CARER_NAMES = ['Ruth Okafor', 'Ruth Okafor', 'Sam Lindqvist', null];

/** The clock of the request that is being handled. */
const requestClock = new AsyncLocalStorage<TestClock>();
const CLOCK_HEADER = 'x-test-clock';
/** By tutor id, which is the value of the header. */
const clocks = new Map<string, TestClock>();
const apis = new WeakMap<TestApp, Promise<Api>>();

interface Api {
  url: string;
  context: Context;
}

/** Starts an API on the app's database. Each request uses the clock of its history, because histories run concurrently. */
async function startApi(app: TestApp): Promise<Api> {
  const events = new EventBus<Context>(eventSubscribers);
  const context: Context = {
    ...app.context,
    clock: { now: () => (requestClock.getStore() ?? app.clock).now() },
    events: { publish: (tx, event, payload) => events.publish(context, tx, event, payload) },
  };
  const http = await buildApp(context);
  http.fastify.server.prependListener('request', ({ headers }) => {
    requestClock.enterWith(requireDefined(clocks.get(String(headers[CLOCK_HEADER]))));
  });
  app.http.fastify.server.once('close', () => void http.stop());
  return { url: await http.fastify.listen({ host: '127.0.0.1', port: 0 }), context };
}

function getApi(app: TestApp): Promise<Api> {
  const api = apis.get(app) ?? startApi(app);
  apis.set(app, api);
  return api;
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
  } = await insertTutorFixture(app, 'Europe/London', 0);
  const headers = { [CLOCK_HEADER]: tutorId };
  const api = await getApi(app);
  const { url } = api;
  const browser = new Browser(url, app.context.config.origin, headers);
  browser.cookies = fastBrowser.cookies;
  const clock = new TestClock();
  clocks.set(tutorId, clock);
  const withKey = (key: string, original = browser) => {
    const keyed = new Browser(url, app.context.config.origin, {
      ...headers,
      'idempotency-key': key,
    });
    keyed.cookies = original.cookies;
    return keyed;
  };
  const visits = new Map<string, { at: Date; visit: Promise<PortalVisit> }>();
  const fixture: LedgerFixture = {
    browser,
    withKey,
    portal: (payer) => {
      const now = clock.now();
      const previous = visits.get(payer);
      // Signs in again after a day, because an unused login expires after a month.
      if (previous && now < add24HourDays(previous.at, 1)) return previous.visit;
      const visit = signInToPortal(api, tutorId, payer);
      visits.set(payer, { at: now, visit });
      return visit;
    },
    fetchFile: async (path) => {
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url + path, { headers: { ...headers, cookie } });
      if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    },
    runDueJob: () => runInstalmentJob(app, api.context, clock, tutorId),
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
    now: `${FIRST_DAY} 12:00`,
  };
  await callOrThrow(fixture, cancellationPolicy.updatePolicy, {
    body: { tiers: [state.policy] },
  });
  await callOrThrow(fixture, portalSettings.openPortal);
  await createStudents(fixture, state);
  await splitCharges(fixture, state, random);
  await createRates(fixture, state, random);
  await createLessons(fixture, state, random);
  return { fixture, state };
}

const addressOf = ({ tutorId }: Pick<LedgerFixture, 'tutorId'>, payer: string): string =>
  `${payer.replace(' ', '')}.${tutorId}@families.example`;

/** A student without a carer has an address of their own. */
export const studentEmail = (fixture: Pick<LedgerFixture, 'tutorId'>, student: number) =>
  CARER_NAMES[student - 1] ? null : addressOf(fixture, `student ${student}`);

/** Inserts the login directly; the portal's own tests sign in with a code. */
async function signInToPortal(
  { url, context }: Api,
  tutorId: string,
  payer: string,
): Promise<PortalVisit> {
  const { config, db, clock } = context;
  const address = addressOf({ tutorId }, payer);
  const token = randomToken(32);
  const now = clock.now();
  await db.globalTransaction((tx) =>
    insertPortalLogin(tx, {
      loginId: randomToken(),
      tokenHash: sha256(token),
      addressHash: hashAddress(address),
      address,
      isSharedDevice: false,
      userAgent: 'model',
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date('2101-01-01T00:00:00Z'),
    }),
  );
  const browser = new Browser(url, config.origin, { [CLOCK_HEADER]: tutorId });
  browser.cookies.set(`${config.cookie.name}-${CONTACT_COOKIE_SUFFIX}`, token);
  const { tutors } = await callOrThrow({ browser }, portal.portalLogin);
  return { browser, publicId: requireDefined(tutors[0]).publicId };
}

async function runInstalmentJob(
  { admin }: TestApp,
  context: Context,
  clock: TestClock,
  tutorId: string,
): Promise<void> {
  const { rows } = await admin.query<{ due: boolean }>(
    `select next_due_at <= $2 as due from tenant_schedule where tutor_id = $1 and kind = 'instalments'`,
    [tutorId, clock.now()],
  );
  if (!rows[0]?.due) return;
  await requestClock.run(clock, () => checkInstalmentsOfTutor(context, tutorId));
}

async function createStudents(fixture: LedgerFixture, state: LedgerState): Promise<void> {
  for (const [index, name] of STUDENT_NAMES.entries()) {
    const carerName = CARER_NAMES[index] ?? null;
    const isSibling = CARER_NAMES.indexOf(carerName) < index;
    const n = fixture.carers.length;
    const carer = isSibling
      ? { carerId: fixture.carers.at(-1) ?? null }
      : { carerName, carerEmail: carerName && addressOf(fixture, `carer ${n + 1}`) };
    const body = { name, email: studentEmail(fixture, index + 1), ...carer };
    const student = await callOrThrow(fixture, students.createStudent, { body });
    if (student.carerId !== null && !isSibling) fixture.carers.push(student.carerId);
    fixture.students.push(student.id);
    const payer = carerName ? `carer ${fixture.carers.length}` : `student ${index + 1}`;
    state.payers.push([{ from: FROM_START, shares: [{ payer, percent: 100 }] }]);
    state.contacts.push([payer]);
    fixture.families.set(payer, requireDefined(student.familyId ?? undefined));
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
    const ids = payers.map((payer) => requireDefined(fixture.carers[Number(payer.slice(6)) - 1]));
    const percent = random.pick([33, 50, 60]);
    const percents = [percent, 100 - percent];
    const params = { id: requireDefined(fixture.students[index]) };
    const contact = { contactId: requireDefined(ids[1]) };
    await callOrThrow(fixture, studentContacts.addContact, { params, body: contact });
    const body = {
      from: FROM_START,
      payers: ids.map((contactId, n) => ({ contactId, percent: requireDefined(percents[n]) })),
    };
    await callOrThrow(fixture, studentContacts.setPayers, { params, body });
    const shares = payers.map((payer, n) => ({ payer, percent: requireDefined(percents[n]) }));
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
    const from = plusDays(FIRST_DAY, random.between(-20, 30));
    state.rates.push({ student: index + 1, subject, amount, unit, from });
    const subjectId = requireDefined(fixture.subjects[subject - 1]);
    const body = { studentId, subjectId, amount: amount / 100, unit, validFrom: from };
    await callOrThrow(fixture, rates.saveRate, { body });
  }
}

/** The student and often some others, some of them with a price of their own; null is free. */
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
    const date = plusDays(FIRST_DAY, isWeekly ? random.between(0, 6) : -random.between(1, 14));
    const hour = 13 + index;
    const [startTime, endTime] = [`${hour}:00`, `${hour}:50`] as const;
    const subject = random.between(1, 2);
    const usesRates = random.chance(0.5);
    const currency: Currency = usesRates ? 'GBP' : random.pick(CURRENCIES);
    const fee = random.chance(0.06) ? null : random.between(2000, 4600);
    const group = randomGroup(random, student);
    const saved = await callOrThrow(fixture, lessons.createLesson, {
      body: {
        studentId: requireDefined(fixture.students[student - 1]),
        subjectId: requireDefined(fixture.subjects[subject - 1]),
        title: `lesson ${index + 1}`,
        date,
        startTime,
        endTime,
        fee: fee === null ? null : fee / 100,
        students: group.map(({ student: n, ownFee }) => ({
          studentId: requireDefined(fixture.students[n - 1]),
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
      fixture.sessions.push(requireDefined(saved.sessionId ?? undefined) + week);
    }
  }
}
