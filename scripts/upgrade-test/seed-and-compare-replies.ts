import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { PASSWORD } from '@lessonbook/server/src/test/create-tutor.ts';

/** The paths and bodies are literals, because they have to work with the old server. */
interface Body {
  id: number;
  carerId: number | null;
  familyId: number;
  sessionId: number;
  payToken: string;
  [field: string]: unknown;
}

type Request = (method: string, path: string, body?: unknown) => Promise<Body>;

/** Signs up two tutors with every kind of payer, and returns their browsers. */
export async function seedTutors(url: string): Promise<Browser[]> {
  const browsers: Browser[] = [];
  for (const username of ['stored1', 'stored2']) {
    const browser = new Browser(url, url);
    await seedTutor(browser, username);
    browsers.push(browser);
  }
  return browsers;
}

async function seedTutor(browser: Browser, username: string): Promise<void> {
  const send = createSender(browser);
  await send('POST', '/api/signup', {
    name: 'Ada Fenwick',
    email: `${username}@example.com`,
    username,
    password: PASSWORD,
    timeZone: 'Europe/London',
  });
  await send('POST', '/api/login', { username, password: PASSWORD });
  const subject = await send('POST', '/api/subjects', { name: 'Maths', defaultFee: 30 });
  const students = await seedStudents(send);
  await seedLedger(send, subject.id, students);
}

/** Siblings with a carer, a carer of one child, students without a carer, and students whose payer has changed. */
async function seedStudents(send: Request): Promise<Body[]> {
  const ruth = {
    carerName: 'Ruth Hale',
    carerEmail: 'ruth@example.com',
    carerPhone: '07700900123',
  };
  const add = (body: object) => send('POST', '/api/students', body);
  const change = (student: Body, body: object) =>
    send('PUT', `/api/students/${student.id}`, { name: student['name'], ...body });
  const maya = await add({ name: 'Maya Hale', ...ruth, carerRelationship: 'Mother' });
  const noah = await add({ name: 'Noah Hale', carerId: maya.carerId });
  const lena = await add({ name: 'Lena Vos', carerName: 'Piet Vos' });
  const solo = await add({ name: 'Zoë Grün', email: 'zoe@example.com', phone: '07700900124' });
  const former = await add({ name: 'Ida Berg' });
  const detached = await add({ name: 'Tom Okafor', carerName: 'Ngozi Okafor' });
  const archived = await add({ name: 'Ben Archer' });
  await change(former, { carerName: 'Eva Berg' });
  await change(detached, { carerId: null });
  await change(lena, { carerId: maya.carerId });
  return [maya, noah, lena, solo, former, detached, archived];
}

/** For each student: completed, cancelled and future lessons, a payment, and invoices, one of them in advance. */
async function seedLedger(send: Request, subjectId: number, students: Body[]): Promise<void> {
  for (const [index, student] of students.entries()) {
    const addLesson = (date: string, fee: number | null) =>
      send('POST', '/api/lessons', {
        studentId: student.id,
        subjectId,
        title: `Lesson of ${student.id}`,
        date,
        startTime: `${String(8 + index).padStart(2, '0')}:00`,
        endTime: `${String(8 + index).padStart(2, '0')}:45`,
        fee,
      });
    const done = await addLesson('2026-10-05', 33.33);
    await send('POST', `/api/sessions/${done.sessionId}/complete`, {});
    const reopened = await addLesson('2026-10-06', 20);
    await send('POST', `/api/sessions/${reopened.sessionId}/complete`, {});
    if (index % 2 === 0) await send('POST', `/api/sessions/${reopened.sessionId}/reopen`, {});
    await addLesson('2030-10-07', 35);
    await addLesson('2030-10-08', null);
    const { familyId } = await send('GET', `/api/sessions/${done.sessionId}`);
    if (index % 3 === 0)
      await send('POST', `/api/families/${familyId}/opening-balance`, openingBalance);
    if (index % 3 !== 1)
      await send('POST', '/api/payments', payment(familyId, 1000 + 2500 * (index % 2)));
    const period = {
      familyId,
      from: '2026-10-01',
      to: '2030-12-31',
      includeUpcoming: index % 2 === 1,
    };
    const drafts = (await send('POST', '/api/invoices', period)) as unknown as Body[];
    if (index !== 1 && drafts[0])
      await send('POST', '/api/invoices/issue', { ids: [drafts[0].id] });
  }
  await send('DELETE', `/api/students/${students.at(-1)?.id}`);
}

const openingBalance = { amount: 1200, currency: 'GBP', date: '2026-09-01' };
const payment = (familyId: number, amount: number) => ({
  familyId,
  amount,
  currency: 'GBP',
  method: 'cash',
  date: '2026-10-20',
});

function createSender(browser: Browser): Request {
  return async (method, path, body) => {
    const response = await browser.send(method, path, body);
    if (response.status >= 300)
      throw new Error(`${method} ${path}: ${response.status} ${response.error.message}`);
    return response.body as Body;
  };
}

/** The replies to all read requests about people, lessons and money, by tutor and path. */
export async function readEverything(browsers: readonly Browser[]): Promise<Map<string, unknown>> {
  const replies = new Map<string, unknown>();
  for (const [index, browser] of browsers.entries()) {
    const send = createSender(browser);
    const read = async (path: string): Promise<Body[]> => {
      const body = await send('GET', path);
      replies.set(`tutor ${index + 1} ${path}`, body);
      return body as unknown as Body[];
    };
    for (const path of ['/api/carers', '/api/payments', '/api/balances']) await read(path);
    for (const kind of ['student', 'carer']) await read(`/api/people?kind=${kind}`);
    for (const { id } of await read('/api/students')) await read(`/api/students/${id}/balance`);
    for (const { id } of await read('/api/families')) {
      const family = (await read(`/api/families/${id}`)) as unknown as Body;
      const bill = await send('GET', `/api/pay/${family.payToken}`);
      replies.set(`tutor ${index + 1} payment page of family ${id}`, bill);
    }
    const invoices = (await read('/api/invoices')) as unknown as { invoices?: Body[] } | Body[];
    for (const { id } of Array.isArray(invoices) ? invoices : (invoices.invoices ?? []))
      await read(`/api/invoices/${id}`);
    for (const range of ['from=2026-10-01&to=2026-10-31', 'from=2030-10-01&to=2030-10-31'])
      for (const { id } of await read(`/api/sessions?${range}`)) await read(`/api/sessions/${id}`);
  }
  return replies;
}

/** Links and references that older releases derived differently. */
const CHANGED_FIELDS = new Set(['payToken', 'token', 'reference']);

/** Describes every value of the old replies that the new ones do not have. */
export function compareReplies(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): string[] {
  return [...before].flatMap(([path, reply]) => compareValues(path, reply, after.get(path)));
}

function compareValues(path: string, before: unknown, after: unknown): string[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length)
      return [`${path}: ${before.length} items became ${after.length}`];
    return before.flatMap((item, index) => compareValues(`${path}[${index}]`, item, after[index]));
  }
  if (isObject(before) && isObject(after))
    return Object.entries(before).flatMap(([key, value]) =>
      CHANGED_FIELDS.has(key) ? [] : compareValues(`${path}.${key}`, value, after[key]),
    );
  return Object.is(before, after)
    ? []
    : [`${path}: ${JSON.stringify(before)} became ${JSON.stringify(after)}`];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
