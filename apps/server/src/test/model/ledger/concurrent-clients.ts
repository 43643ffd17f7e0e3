import { setTimeout as sleep } from 'node:timers/promises';
import { accounts } from '@lessonbook/contract/accounts';
import type { Invoice, InvoiceRow } from '@lessonbook/contract/invoices';
import type pg from 'pg';
import { findViolations } from '../../../invariants.ts';
import type { ApiResponse, Browser } from '../../browser-client.ts';
import { createStudent } from '../../create-student-and-subject.ts';
import { findTutorId } from '../../create-tutor.ts';
import { addLesson, createTutorWithStudentAndSubject, weekly } from '../../lesson-fixture.ts';
import type { TestApp } from '../../test-app.ts';
import { Random } from '../random.ts';

/* Many browsers, all logged in as one tutor, change one family's account concurrently. */

const CLIENTS = 32;
const MAX_RETRIES = 40;

export interface LedgerOutcome {
  statuses: Record<string, number>;
  retries: number;
  /** Idempotency keys whose request took effect more than once, or had no effect although a response reported success. */
  idempotencyErrors: string[];
  /** Gaps and duplicates in the invoice and credit note numbers. */
  numberingErrors: string[];
  /** Violated invariants. */
  violations: string[];
  counts: {
    payments: number;
    invoices: number;
    creditNotes: number;
    voided: number;
    charges: number;
  };
}

/** Shared by all browsers. */
interface SharedState {
  familyId: number;
  sessions: number[];
  /** Sessions in which all of the students are expected. */
  groupSessions: number[];
  studentIds: number[];
  invoices: number[];
  statuses: Map<number, number>;
  retries: number;
  /** The key of each payment and credit note (also used as its note), and whether any response said that it was created. */
  requested: Map<string, boolean>;
  idempotencyErrors: string[];
}

type Send = (path: string, body: unknown, key?: string) => Promise<ApiResponse<unknown>>;

/** Retries requests that return 503 with Retry-After, using the same key. */
const createRetryingSender =
  (shared: SharedState, browser: Browser): Send =>
  async (path, body, key) => {
    for (let attempt = 1; ; attempt++) {
      const headers = key ? { 'idempotency-key': key } : {};
      const response = await browser.send('POST', path, body, headers);
      const retryAfter = Number(response.headers.get('retry-after'));
      if (response.status === 503 && retryAfter > 0 && attempt < MAX_RETRIES) {
        shared.retries += 1;
        await sleep(retryAfter * 1000);
        continue;
      }
      shared.statuses.set(response.status, (shared.statuses.get(response.status) ?? 0) + 1);
      return response;
    }
  };

interface ClientTurn {
  shared: SharedState;
  send: Send;
  random: Random;
  key: string;
}

/** Sends the same request two or three times, two of them concurrently. All successful responses must return the same result. */
async function sendRepeatedly(
  turn: ClientTurn,
  path: string,
  body: unknown,
  resultOf: (body: unknown) => string,
) {
  const { shared, send, random, key } = turn;
  const post = () => send(path, body, key);
  const responses = await Promise.all([post(), post()]);
  if (random.chance(0.5)) responses.push(await post());
  const successful = responses.filter((response) => response.status < 300);
  const results = new Set(successful.map((response) => resultOf(response.body)));
  if (results.size > 1)
    shared.idempotencyErrors.push(`${key} created ${[...results].join(' and ')}`);
  return successful[0]?.body;
}

const idOf = (body: unknown): string => String((body as { id: number }).id);
const idsOf = (body: unknown): string => (body as InvoiceRow[]).map(({ id }) => id).join();

async function pay(turn: ClientTurn): Promise<void> {
  const { shared, random, key } = turn;
  const created = await sendRepeatedly(
    turn,
    '/api/payments',
    {
      familyId: shared.familyId,
      amount: random.between(100, 9000),
      currency: 'GBP',
      method: 'cash',
      date: '2026-11-16',
      note: key,
    },
    idOf,
  );
  shared.requested.set(key, created !== undefined);
}

async function complete({ shared, send, random }: ClientTurn): Promise<void> {
  const charge = random.chance(0.9);
  await send(`/api/sessions/${random.pick(shared.sessions)}/complete`, { charge });
}

async function cancel({ shared, send, random }: ClientTurn): Promise<void> {
  await send(`/api/sessions/${random.pick(shared.sessions)}/cancel`, { cancelledBy: 'tutor' });
}

async function reopen({ shared, send, random }: ClientTurn): Promise<void> {
  await send(`/api/sessions/${random.pick(shared.sessions)}/reopen`, { acceptOverlaps: true });
}

/** Cancels a session for one of the siblings, or restores their seat. */
async function changeSeat({ shared, send, random }: ClientTurn): Promise<void> {
  const id = random.pick(shared.groupSessions);
  const path = `/api/sessions/${id}/students/${random.pick(shared.studentIds)}`;
  if (random.chance(0.3)) await send(`${path}/restore`, undefined);
  else await send(`${path}/cancel`, { cancelledBy: 'carer', chargeFee: true });
}

/** Concurrent drafts may contain the same lessons, but only one of the drafts can be issued. */
async function draftAndIssue(turn: ClientTurn): Promise<void> {
  const { shared, random, key } = turn;
  const week = random.between(0, 40);
  const dateAfter = (days: number) =>
    new Date(Date.UTC(2026, 10, 16) + days * 86_400_000).toISOString().slice(0, 10);
  const period = {
    from: dateAfter(week * 7),
    to: dateAfter(week * 7 + 13),
    includeUpcoming: random.chance(0.7),
  };
  const body = { familyId: shared.familyId, ...period };
  const drafts = await sendRepeatedly(turn, '/api/invoices', body, idsOf);
  const ids = ((drafts ?? []) as InvoiceRow[]).map(({ id }) => id);
  if (ids.length === 0) return;
  const issue = { ...turn, key: `${key}-issue` };
  const numbersOf = (rows: unknown) => (rows as InvoiceRow[]).map(({ number }) => number).join();
  const issued = await sendRepeatedly(issue, '/api/invoices/issue', { ids }, numbersOf);
  if (issued) shared.invoices.push(...ids);
}

async function voidInvoice(turn: ClientTurn): Promise<void> {
  const { shared, random } = turn;
  if (shared.invoices.length === 0) return;
  const id = random.pick(shared.invoices);
  await sendRepeatedly(turn, `/api/invoices/${id}/void`, { reason: 'test' }, idOf);
}

async function creditInvoice(turn: ClientTurn, browser: Browser): Promise<void> {
  const { shared, random, key } = turn;
  if (shared.invoices.length === 0) return;
  const id = random.pick(shared.invoices);
  const read = await browser.send('GET', `/api/invoices/${id}`);
  const { lines } = read.body as Invoice;
  const line = random.pick(lines);
  const remaining = line.amount - line.credited;
  const amount = random.chance(0.5) ? Math.max(1, remaining) : random.between(1, line.amount);
  const body = { lines: [{ chargeId: line.chargeId, amount }], reason: key };
  const created = await sendRepeatedly(turn, `/api/invoices/${id}/credit-note`, body, idOf);
  shared.requested.set(key, created !== undefined);
}

const WEIGHTS: [(turn: ClientTurn, browser: Browser) => Promise<void>, number][] = [
  [pay, 3],
  [complete, 3],
  [cancel, 1],
  [reopen, 1],
  [changeSeat, 2],
  [draftAndIssue, 3],
  [voidInvoice, 1],
  [creditInvoice, 2],
];
const ACTIONS = WEIGHTS.flatMap(([action, weight]) => Array.from({ length: weight }, () => action));

export async function runConcurrentClients(
  app: TestApp,
  adminDb: pg.Client,
  options: { seed: number; rounds: number },
): Promise<LedgerOutcome> {
  const fixture = await createTutorWithStudentAndSubject(app);
  const carerName = 'Ruth Okafor';
  const first = await createStudent(fixture.browser, { name: 'Noor', carerName });
  const second = await createStudent(fixture.browser, { name: 'Ben', carerId: first.carerId });
  for (const [index, studentId] of [first.id, second.id, first.id, second.id].entries()) {
    const times = { startTime: `${14 + index}:00`, endTime: `${14 + index}:50` };
    const siblings = [studentId, studentId === first.id ? second.id : first.id];
    const students = siblings.slice(0, index < 2 ? 1 : 2).map((id) => ({ studentId: id }));
    const series = { studentId, students, ...times, recurringEndDate: '2027-09-01' };
    await addLesson(fixture, weekly(series));
  }
  const { username } = (await fixture.browser.call(accounts.me)).body;
  const tutorId = await findTutorId(app, { username });
  const { rows } = await adminDb.query<{ id: number; seats: number }>(
    `select s.id, count(*)::int as seats from sessions s
     join session_students x on x.tutor_id = s.tutor_id and x.session_id = s.id
     where s.tutor_id = $1 group by s.id order by s.id`,
    [tutorId],
  );
  const shared: SharedState = {
    familyId: first.familyId ?? 0,
    sessions: rows.map(({ id }) => id),
    groupSessions: rows.filter(({ seats }) => seats > 1).map(({ id }) => id),
    studentIds: [first.id, second.id],
    invoices: [],
    statuses: new Map(),
    retries: 0,
    requested: new Map(),
    idempotencyErrors: [],
  };
  const runClient = async (index: number) => {
    const browser = app.browser();
    browser.cookies = new Map(fixture.browser.cookies);
    const random = new Random(options.seed * 1000 + index);
    const send = createRetryingSender(shared, browser);
    for (let round = 0; round < options.rounds; round++) {
      const turn = { shared, send, random, key: `client-${index}-${round}` };
      await random.pick(ACTIONS)(turn, browser);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => runClient(index)));
  return {
    statuses: Object.fromEntries([...shared.statuses].toSorted(([a], [b]) => a - b)),
    retries: shared.retries,
    ...(await readOutcome(adminDb, tutorId, shared)),
  };
}

/** Checks the database once all browsers have finished. */
async function readOutcome(adminDb: pg.Client, tutorId: string, shared: SharedState) {
  const noteCounts = await adminDb.query<{ note: string; count: number }>(
    `select note, count(*)::int as count from (
       select note from payments where tutor_id = $1
       union all select note from invoices where tutor_id = $1 and kind = 'credit_note') as notes
     where note like 'client-%' group by note`,
    [tutorId],
  );
  const countByKey = new Map(noteCounts.rows.map((row) => [row.note, row.count]));
  const wrongCounts = [...shared.requested].flatMap(([key, created]) => {
    const count = countByKey.get(key) ?? 0;
    return count === (created ? 1 : 0) ? [] : [`${key}: ${count} times`];
  });
  const numberingErrors: string[] = [];
  const counts = { payments: 0, invoices: 0, creditNotes: 0, voided: 0, charges: 0 };
  for (const kind of ['invoice', 'credit_note']) {
    const { rows } = await adminDb.query<{ sequence: number; number: string; voided: boolean }>(
      `select sequence, number, voided_at is not null as voided from invoices
       where tutor_id = $1 and kind = $2 and issued_at is not null order by sequence`,
      [tutorId, kind],
    );
    for (const [index, { sequence, number }] of rows.entries()) {
      if (sequence !== index + 1)
        numberingErrors.push(`${kind} ${number} is at position ${index + 1}`);
    }
    if (new Set(rows.map(({ number }) => number)).size !== rows.length)
      numberingErrors.push('duplicate number');
    counts[kind === 'invoice' ? 'invoices' : 'creditNotes'] = rows.length;
    counts.voided += rows.filter(({ voided }) => voided).length;
  }
  const { rows } = await adminDb.query<{ payments: number; charges: number }>(
    `select (select count(*)::int from payments where tutor_id = $1) as payments,
       (select count(*)::int from charges where tutor_id = $1) as charges`,
    [tutorId],
  );
  Object.assign(counts, rows[0]);
  const violations = (await findViolations(adminDb, tutorId)).map(
    ({ rule, detail }) => `${rule}: ${detail}`,
  );
  return {
    idempotencyErrors: [...shared.idempotencyErrors, ...wrongCounts],
    numberingErrors,
    violations,
    counts,
  };
}
