import { fileURLToPath } from 'node:url';
import { accounts } from '@lessonbook/contract/accounts';
import { addDaysToDate, startOfWeek } from '@lessonbook/contract/dates';
import type { Student } from '@lessonbook/contract/students';
import { findFreePort } from '@lessonbook/test-env/free-port';
import type { Lessonbook } from '@lessonbook/test-env/lessonbook';
import { startProcess } from '@lessonbook/test-env/processes';
import { waitUntilReady } from '@lessonbook/test-env/wait-until-ready';
import { type APIRequestContext, request } from '@playwright/test';
import { type ApiClient, createApiClient } from './api-client.ts';
import { createMailClient } from './mail-client.ts';
import { confirmEmail, newSignupData, signUp } from './sign-up-tutor.ts';

/* An account as large as that of a full-time tutor: 45 students, 30 families and eight months of lessons and invoices. */

const FAMILIES = 30;
const STUDENTS = 45;
const MONTHS = 8;

const firstNames =
  'Maya Leo Noah Rory Amira Florence Theo Alfie Sophie Jack Oscar Isla Kit Grace Ben Ruby Zara Hugo Ines Omar'.split(
    ' ',
  );
const carerNames = 'Ruth Helen Samira Li Eva Karen Priya Joanne Daniel Sian'.split(' ');
const lastNames =
  'Okafor Goldberg Haddad Xu Lindqvist Abbott Patel Whitfield Mensah Brennan Daly Watts Silva Novak Khan'.split(
    ' ',
  );
const subjectNames = ['Maths GCSE', '11+ prep', 'Physics A-level', 'Further Maths'];

export interface FullAccount {
  login: { username: string; password: string };
}

/** The months are simulated one after another, each by an API whose clock is at the end of that month. */
export async function seedFullAccount(
  app: Lessonbook,
  env: Record<string, string>,
): Promise<FullAccount> {
  const { username, password, ...person } = newSignupData('Ada Fenwick');
  const login = { username, password };
  const ends = monthEnds();
  const firstDay = addDaysToDate(ends[0] as string, -27);
  await withApiAt(app, env, `${firstDay}T08:00:00Z`, async (http, origin) => {
    await signUp(http, origin, { ...person, ...login });
    await addStudentsAndLessons(await logIn(http, origin, login), firstDay);
  });
  for (const [index, end] of ends.entries()) {
    await withApiAt(app, env, `${end}T21:00:00Z`, async (http, origin) => {
      const api = await logIn(http, origin, login);
      await completeLessonsAndRecordPayments(api, end, index);
      await invoiceEveryone(api, end);
    });
  }
  const yesterday = addDaysToDate(new Date().toISOString().slice(0, 10), -1);
  await withApiAt(app, env, `${yesterday}T17:00:00Z`, async (http, origin) =>
    completeLessonsAndRecordPayments(await logIn(http, origin, login), yesterday, MONTHS),
  );
  const http = await request.newContext();
  const api = await logIn(http, app.url, login);
  await http.post(`${app.url}${accounts.resendVerification.path}`, {
    headers: { origin: app.url },
  });
  const mail = createMailClient(app.mailbox.webUrl);
  await confirmEmail(http, app.url, { ...person, ...login }, mail);
  await http.dispose();
  await remindOverdueFamilies(api);
  return { login };
}

/** Sends the cookie as a header, because a client would drop a cookie that has expired by the real clock. */
async function logIn(
  http: APIRequestContext,
  origin: string,
  login: FullAccount['login'],
): Promise<ApiClient> {
  const response = await http.post(`${origin}${accounts.login.path}`, {
    headers: { origin },
    data: login,
  });
  const cookie = response.headers()['set-cookie']?.split(';')[0];
  if (!cookie) throw new Error(`Logging in failed: ${response.status()}`);
  return createApiClient(await request.newContext({ extraHTTPHeaders: { cookie } }), origin);
}

/** The 28th of each of the past months, oldest first. */
function monthEnds(): string[] {
  const now = new Date();
  return Array.from({ length: MONTHS }, (_, index) => {
    const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + index, 28));
    return day.toISOString().slice(0, 10);
  });
}

async function withApiAt(
  app: Lessonbook,
  env: Record<string, string>,
  clockStart: string,
  use: (http: APIRequestContext, origin: string) => Promise<void>,
): Promise<void> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const api = startProcess(
    `api at ${clockStart}`,
    fileURLToPath(new URL('../apps/server/src/api.ts', import.meta.url)),
    {
      ...env,
      DATABASE_URL: app.databaseUrls.appUrl,
      SMTP_URL: app.mailbox.smtpUrl,
      APP_URL: origin,
      PORT: String(port),
      CLOCK_START: clockStart,
    },
  );
  const http = await request.newContext();
  try {
    await waitUntilReady(api, origin);
    await use(http, origin);
  } finally {
    await http.dispose();
    api.kill('SIGTERM');
    await api.exited;
  }
}

async function addStudentsAndLessons(api: ApiClient, from: string): Promise<void> {
  await api.saveBusinessSettings({ invoicePrefix: 'AF', paymentInstructions: 'By bank transfer' });
  const subjects = await Promise.all(
    subjectNames.map((name, index) => api.addSubject(name, 35 + index * 3)),
  );
  const monday = startOfWeek(from);
  const families: Student[] = [];
  for (let index = 0; index < STUDENTS; index += 1) {
    const sibling = families[index % FAMILIES];
    const lastName = pick(lastNames, index % FAMILIES);
    const subject = pick(subjects, index);
    const carerName = `${pick(carerNames, index)} ${lastName}`;
    const email = `${carerName.toLowerCase().replace(' ', '.')}.${index}@families.example`;
    const student = await api.addStudent(`${pick(firstNames, index)} ${lastName}`, {
      subject: subject.name,
      school: pick(['Highfield School', 'St Anne’s', 'Parkside Academy'], index),
      schoolYear: `Year ${6 + (index % 8)}`,
      notes: index % 3 === 0 ? 'Prefers worked examples. Mock exam in November.' : null,
      ...(sibling
        ? { carerId: sibling.carerId }
        : {
            carerName,
            carerEmail: email,
            carerPhone: `07700 9000${String(index).padStart(2, '0')}`,
          }),
    });
    if (!sibling) families.push(student);
    const hour = 9 + Math.floor(index / 5);
    await api.addLesson({
      student,
      subject,
      date: addDaysToDate(monday, 7 + (index % 5)),
      start: `${String(hour).padStart(2, '0')}:00`,
      isRecurring: true,
      recurringPattern: 'weekly',
      recurringEndDate: addDaysToDate(monday, 7 * 51),
      acceptOverlaps: true,
    });
  }
}

async function completeLessonsAndRecordPayments(
  api: ApiClient,
  date: string,
  month: number,
): Promise<void> {
  for (let due = await api.dueSessions(); due.length > 0; due = await api.dueSessions()) {
    await api.completeSessions(due.slice(0, 200).map(({ id }) => id));
  }
  for (const [position, invoice] of (await api.invoices()).entries()) {
    if (invoice.due === 0 || (position + month) % 9 === 0) continue;
    await api.recordPayment({
      familyId: invoice.familyId,
      amount: invoice.due,
      currency: invoice.currency,
      method: 'bank_transfer',
      date,
      chargeIds: [],
    });
  }
}

async function invoiceEveryone(api: ApiClient, end: string): Promise<void> {
  const drafts = await api.draftBulkInvoices(addDaysToDate(end, -60), end);
  if (drafts.length > 0) await api.issueInvoices(drafts.map(({ id }) => id));
}

/** Every third reminder is a WhatsApp message that waits under 'To send'. */
async function remindOverdueFamilies(api: ApiClient): Promise<void> {
  const owing = (await api.families()).filter(({ balances }) =>
    balances.some(({ owed }) => owed > 0),
  );
  for (const [index, { id }] of owing.slice(0, 9).entries()) {
    await api.sendReminder({ familyId: id, channel: index % 3 === 0 ? 'whatsapp' : 'email' });
  }
}

const pick = <Value>(values: readonly Value[], index: number): Value =>
  values[index % values.length] as Value;
