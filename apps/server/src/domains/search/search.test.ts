import { privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { accounts } from '@lessonbook/contract/accounts';
import { invoices } from '@lessonbook/contract/invoices';
import { type SearchResults, search } from '@lessonbook/contract/search';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import { students } from '@lessonbook/contract/students';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutor } from '../../test/create-tutor.ts';
import { addLesson } from '../../test/lesson-fixture.ts';
import {
  createCompletedLesson,
  createFamilyFixture,
  createPayment,
} from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { DEMO_CREDENTIALS } from '../accounts/service/create-and-replace-demo-account.ts';
import { seedDemo } from '../demo/service/reset-demo.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100', DEMO_ACCOUNT: 'yes' });
});
afterAll(() => app.close());

async function find(browser: Browser, q: string): Promise<SearchResults> {
  const response = await browser.call(search.search, { query: { q } });
  if (response.status !== 200) throw new Error(`${response.status}: ${response.error.message}`);
  return response.body;
}

const NOTHING = {
  students: [],
  contacts: [],
  families: [],
  lessons: [],
  invoices: [],
  payments: [],
  subjects: [],
  date: null,
};

const namesOf = (found: readonly { name: string }[]) => found.map(({ name }) => name);

const addContact = (browser: Browser, studentId: number, contact: object) =>
  browser.call(studentContacts.addContact, {
    params: { id: studentId },
    body: { name: 'Otto Hale', ...contact },
  });

async function createSecondTutorsData() {
  const { fixture, familyId, children } = await createFamilyFixture(app);
  const [lena = 0] = children;
  await addContact(fixture.browser, lena, { phone: '+447700900777', email: 'otto@hale.example' });
  await createCompletedLesson(fixture, lena, '2026-11-10', { fee: 41 });
  await addLesson(fixture, { studentId: lena, title: 'Lena Hale - Maths' });
  const period = { familyId, from: '2026-11-01', to: '2026-11-30' };
  const [draft] = (await fixture.browser.call(invoices.draftInvoice, { body: period })).body;
  await fixture.browser.call(invoices.issueInvoices, { body: { ids: [draft?.id ?? 0] } });
  await createPayment(fixture.browser, familyId, 1234);
  return { fixture, familyId, lena, invoiceId: draft?.id ?? 0 };
}

const TEXTS = [
  'l',
  'hale',
  'lena',
  'otto',
  'hale.example',
  '900777',
  '12.34',
  '10 nov',
  'tomorrow',
];
const MORE_TEXTS = [
  '16/11/2026',
  'overdue',
  'unpaid',
  'draft',
  'paid',
  '1',
  'maths',
  '%',
  '.',
  '*',
];

test('F141 [AUTH-45] nothing that belongs to another tutor is found', async () => {
  const { fixture } = await createSecondTutorsData();
  const { browser: other } = await createTutor(app);
  for (const text of [...TEXTS, ...MORE_TEXTS]) {
    const { date: _, ...found } = await find(other, text);
    expect(found, text).toEqual({ ...NOTHING, date: undefined });
  }
  for (const text of TEXTS) expect(await find(fixture.browser, text), text).not.toEqual(NOTHING);
  expect((await app.browser().call(search.search, { query: { q: 'hale' } })).status).toBe(401);
});

test('F141 a name finds the student, the family, its invoices and its payments', async () => {
  const { fixture, familyId, lena, invoiceId } = await createSecondTutorsData();
  const found = await find(fixture.browser, 'lena');
  expect(found.students).toEqual([
    {
      id: lena,
      name: 'Lena Hale',
      subject: null,
      carerName: 'Ruth Hale',
      familyId,
      isArchived: false,
    },
  ]);
  expect(found.families).toEqual([
    {
      id: familyId,
      name: 'Ruth Hale',
      students: ['Ida Hale', 'Lena Hale', 'Noah Hale'],
      owed: [{ currency: 'GBP', amount: 4100 - 1234 }],
    },
  ]);
  expect(found.invoices).toMatchObject([
    { id: invoiceId, familyName: 'Ruth Hale', state: 'part_paid', total: 4100, due: 4100 - 1234 },
  ]);
  expect(found.payments).toMatchObject([
    { familyId, familyName: 'Ruth Hale', kind: 'payment', amount: 1234, paidOn: '2026-11-16' },
  ]);
});

test('F141 contacts are found by name, email and phone, with their students; payers are found as families', async () => {
  const { fixture, lena } = await createSecondTutorsData();
  for (const text of [
    'otto',
    'otto@hale',
    'HALE.EXAMPLE',
    '07700 900777',
    '+44 7700 900 777',
    '900777',
  ]) {
    expect((await find(fixture.browser, text)).contacts, text).toEqual([
      {
        id: expect.any(Number),
        name: 'Otto Hale',
        relationship: null,
        students: [{ id: lena, name: 'Lena Hale', isArchived: false }],
      },
    ]);
  }
  const ruth = await find(fixture.browser, 'ruth');
  expect([namesOf(ruth.contacts), namesOf(ruth.families)]).toEqual([[], ['Ruth Hale']]);
  expect(namesOf(ruth.students)).toEqual(['Ida Hale', 'Lena Hale', 'Noah Hale']);
});

test('F141 invoices are found by number and by state, and by state for one family', async () => {
  const { fixture, invoiceId } = await createSecondTutorsData();
  const { browser } = fixture;
  const ids = async (text: string) => (await find(browser, text)).invoices.map(({ id }) => id);
  const number = (await find(browser, 'lena')).invoices[0]?.number ?? '';
  expect(await ids(number)).toEqual([invoiceId]);
  expect(await ids(number.toLowerCase())).toEqual([invoiceId]);
  expect(await ids('1')).toEqual([invoiceId]);
  expect(await ids('unpaid')).toEqual([invoiceId]);
  expect(await ids('part paid')).toEqual([invoiceId]);
  expect(await ids('hale unpaid')).toEqual([invoiceId]);
  expect(await ids('okafor unpaid')).toEqual([]);
  expect(await ids('overdue')).toEqual([]);
  expect(await ids('draft')).toEqual([]);
});

test('F141 payments are found by amount and by date', async () => {
  const { fixture, familyId } = await createSecondTutorsData();
  const { browser } = fixture;
  await createPayment(browser, familyId, 3500, { date: '2026-11-12' });
  const paidOn = async (text: string) =>
    (await find(browser, text)).payments.map((payment) => payment.paidOn);
  expect(await paidOn('35')).toEqual(['2026-11-12']);
  expect(await paidOn('£35.00')).toEqual(['2026-11-12']);
  expect(await paidOn('€35')).toEqual([]);
  expect(await paidOn('12 nov')).toEqual(['2026-11-12']);
  expect(await paidOn('hale')).toEqual(['2026-11-16', '2026-11-12']);
});

test("F141 lessons are found by date in the tutor's time zone, including for one student, with upcoming ones first", async () => {
  const { fixture } = await createFamilyFixture(app);
  const { browser } = fixture;
  await addLesson(fixture, {
    date: '2026-11-16',
    startTime: '09:00',
    endTime: '10:00',
    title: 'Early',
  });
  await addLesson(fixture, {
    date: '2026-11-16',
    startTime: '18:00',
    endTime: '19:00',
    title: 'Late',
  });
  const { sessionId } = await addLesson(fixture, { title: 'Zoë’s maths' });
  const titles = async (text: string) =>
    (await find(browser, text)).lessons.map(({ title }) => title);
  expect(await titles('today')).toEqual(['Maya Okafor - Late', 'Maya Okafor - Early']);
  expect(await titles('monday')).toEqual(['Maya Okafor - Late', 'Maya Okafor - Early']);
  for (const text of [
    'tuesday',
    '17 nov',
    '17/11/2026',
    'tomorrow',
    'zoes tomorrow',
    'okafor 17 nov',
  ])
    expect(await titles(text), text).toEqual(['Maya Okafor - Zoë’s maths']);
  expect(await titles('noah tomorrow')).toEqual([]);
  expect((await find(browser, 'tuesday')).date).toBe('2026-11-17');
  expect((await find(browser, 'tuesday')).lessons).toMatchObject([
    {
      id: sessionId,
      date: '2026-11-17',
      startTime: '16:00',
      endTime: '17:00',
      status: 'scheduled',
    },
  ]);
});

test('F141 accents, apostrophes, hyphens and the order of the words make no difference', async () => {
  const { browser } = await createTutor(app);
  for (const name of [
    'Zoë Brontë',
    'Seán O’Brien',
    "Anne-Marie D'Souza",
    'Łukasz Żak',
    'Jürgen Groß',
  ])
    await createStudent(browser, { name });
  const expected: Record<string, string> = {
    zoe: 'Zoë Brontë',
    'BRONTË ZOË': 'Zoë Brontë',
    obrien: 'Seán O’Brien',
    "o'brien": 'Seán O’Brien',
    brien: 'Seán O’Brien',
    'anne marie': "Anne-Marie D'Souza",
    'souza anne-marie': "Anne-Marie D'Souza",
    lukasz: 'Łukasz Żak',
    zak: 'Łukasz Żak',
    gross: 'Jürgen Groß',
    Groß: 'Jürgen Groß',
  };
  for (const [text, name] of Object.entries(expected))
    expect(namesOf((await find(browser, text)).students), text).toEqual([name]);
});

test('F141 wildcards and operators are matched literally', async () => {
  const { browser } = await createTutor(app);
  for (const name of ['Maya Okafor', '100% Club', 'A_B Group', 'C++ (beginners)', 'Back\\slash'])
    await createStudent(browser, { name });
  const expected: Record<string, string[]> = {
    '%': ['100% Club'],
    '100%': ['100% Club'],
    _: ['A_B Group'],
    a_b: ['A_B Group'],
    'c++': ['C++ (beginners)'],
    '(beg': ['C++ (beginners)'],
    '\\': ['Back\\slash'],
    'ma.a': [],
    '.*': [],
    'maya|club': [],
    '[a-z]': [],
    '^maya': [],
    '***=maya': [],
    'Ⓐ': [],
    '🎻': [],
    '\u200b': [],
    '\u0301': [],
    "'": [],
    '-': [],
    '/': [],
    "' - ’": [],
    "'; drop table students; --": [],
  };
  for (const [text, names] of Object.entries(expected))
    expect(namesOf((await find(browser, text)).students), text).toEqual(names);
});

test('F141 a name that starts with the text comes first, then active students before deleted ones', async () => {
  const { browser } = await createTutor(app);
  const left = await createStudent(browser, { name: 'Anna Left' });
  for (const name of ['Joanna Hale', 'Zara Ann', 'Anna Young'])
    await createStudent(browser, { name });
  await browser.call(students.deleteStudent, { params: { id: left.id } });
  const { students: found } = await find(browser, 'ann');
  expect(found.map(({ name, isArchived }) => [name, isArchived])).toEqual([
    ['Anna Young', false],
    ['Zara Ann', false],
    ['Anna Left', true],
    ['Joanna Hale', false],
  ]);
});

test('F141 one letter finds only names that start with it, and at most five of each kind', async () => {
  const { browser } = await createTutor(app);
  for (let count = 1; count <= 7; count += 1)
    await createStudent(browser, { name: `Nora ${count}`, carerName: `Nils ${count}` });
  await createStudent(browser, { name: 'Ben Aden' });
  await createSubject(browser, { name: 'Norwegian' });
  const found = await find(browser, 'n');
  expect(namesOf(found.students)).toEqual(['Nora 1', 'Nora 2', 'Nora 3', 'Nora 4', 'Nora 5']);
  expect(found.families).toHaveLength(5);
  expect(namesOf(found.subjects)).toEqual(['Norwegian']);
});

test('F141 an erased person is not found', async () => {
  const { fixture, lena } = await createSecondTutorsData();
  const { browser } = fixture;
  await browser.call(students.deleteStudent, { params: { id: lena } });
  expect(namesOf((await find(browser, 'lena')).students)).toEqual(['Lena Hale']);
  const body = { kind: 'student' as const, id: lena, name: 'Lena Hale' };
  expect((await browser.call(privacy.erasePerson, { body })).status).toBe(200);
  expect(await find(browser, 'lena')).toEqual(NOTHING);
  expect(await find(browser, 'erased')).toEqual(NOTHING);
  expect(await find(browser, 'erased person')).toEqual(NOTHING);
});

test('F141 an erased carer is not found, either by name or through a student', async () => {
  const { fixture } = await createSecondTutorsData();
  const { browser } = fixture;
  const ruth = (await browser.call(students.listCarers)).body.find(
    ({ name }) => name === 'Ruth Hale',
  );
  const body = { kind: 'carer' as const, id: ruth?.id ?? 0, name: 'Ruth Hale' };
  expect((await browser.call(privacy.erasePerson, { body })).status).toBe(200);
  expect(await find(browser, 'ruth')).toEqual(NOTHING);
  expect(await find(browser, 'erased')).toEqual(NOTHING);
  expect(JSON.stringify(await find(browser, 'lena'))).not.toContain('Erased person');
});

test('F141 the search text must have one to a hundred characters', async () => {
  const { browser } = await createTutor(app);
  const statusOf = async (path: string) => (await browser.send('GET', path)).status;
  expect(await statusOf('/api/search')).toBe(400);
  expect(await statusOf('/api/search?q=')).toBe(400);
  expect(await statusOf('/api/search?q=%20%20')).toBe(400);
  expect(await statusOf(`/api/search?q=${'x'.repeat(101)}`)).toBe(400);
  expect(await statusOf(`/api/search?q=${'e'.repeat(100)}`)).toBe(200);
  expect(await statusOf(`/api/search?q=${'aeoess '.repeat(14).trim()}`)).toBe(200);
  expect(await statusOf('/api/search?q=a%00')).toBe(400);
  expect(await statusOf('/api/search?q=a&q=b')).toBe(400);
});

test('F141 searches are rate limited per tutor and network, and the limit of one does not affect another', async () => {
  const limited = await startTestApp({ RATE_LIMIT_FACTOR: '1' });
  try {
    const { browser, input } = await createTutor(limited);
    const { browser: other } = await createTutor(limited);
    await limited.admin.query(
      `insert into rate_limits (key, empty_at)
       select 'search-tutor:' || tutor_id || ':127.0.0.1', $2 from login_directory where username = $1`,
      [input.username, new Date(limited.clock.now().getTime() + 60_000)],
    );
    const response = await browser.call(search.search, { query: { q: 'a' } });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await find(other, 'a')).toEqual(NOTHING);
  } finally {
    await limited.close();
  }
});

test('F141 the data of the demo account is found', async () => {
  await seedDemo(app.context);
  const browser = app.browser();
  await browser.call(accounts.login, { body: { ...DEMO_CREDENTIALS } });
  const [student] = (await browser.call(students.listStudents)).body;
  const found = await find(browser, student?.name ?? '');
  expect(namesOf(found.students)).toEqual([student?.name]);
  expect(found.families).not.toEqual([]);
  expect((await find(browser, 'tomorrow')).date).toBe('2026-11-17');
});
