import { accounts } from '@lessonbook/contract/accounts';
import { REVISION_HEADER } from '@lessonbook/contract/endpoint';
import { publicBills } from '@lessonbook/contract/public-bill';
import { students } from '@lessonbook/contract/students';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from './test/browser-client.ts';
import { openEventStream } from './test/event-stream.ts';
import { createTutorWithStudentAndSubject } from './test/lesson-fixture.ts';
import { createCompletedLesson, readFamily } from './test/payment-fixture.ts';
import { startTestApp, type TestApp } from './test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const readRevision = async (browser: Browser) => (await browser.call(accounts.me)).body.revision;

test('F61 the response to a write contains the revision, but not the response to a rejected write or a read', async () => {
  const { browser } = await createTutorWithStudentAndSubject(app);
  const before = await readRevision(browser);
  const created = await browser.call(students.createStudent, { body: { name: 'Leo Marsh' } });
  expect(created.headers.get(REVISION_HEADER)).toBe(String(before + 1));
  expect(await readRevision(browser)).toBe(before + 1);

  const refused = await browser.call(students.createStudent, { body: { name: '' } });
  expect(refused.status).toBe(400);
  expect(refused.headers.has(REVISION_HEADER)).toBe(false);
  const list = await browser.call(students.listStudents, { query: {} });
  expect(list.headers.has(REVISION_HEADER)).toBe(false);
});

test("F61 a family's report of a transfer changes the revision but does not return it", async () => {
  const fixture = await createTutorWithStudentAndSubject(app);
  await createCompletedLesson(fixture, fixture.studentId, '2026-11-03');
  const { payToken } = await readFamily(fixture.browser, 1);
  const before = await readRevision(fixture.browser);
  const claimed = await fixture.browser.call(publicBills.claimTransfer, {
    params: { token: payToken },
  });
  expect(claimed.status).toBe(200);
  expect(await readRevision(fixture.browser)).toBeGreaterThan(before);
  expect(claimed.headers.has(REVISION_HEADER)).toBe(false);
});

test('F61 the event stream sends the revision of a change made in another window', async () => {
  const { browser } = await createTutorWithStudentAndSubject(app);
  const stream = await openEventStream(app.url, browser);
  // LISTEN starts with the first stream, which gets an event once it has started.
  await stream.nextEvent();
  const created = await browser.call(students.createStudent, { body: { name: 'Leo Marsh' } });
  const revision = created.headers.get(REVISION_HEADER);
  let received = '';
  // Events of the fixture's own changes may arrive first.
  while (!received.includes(`data: ${revision}\n`)) received = await stream.nextEvent();
  expect(received).toContain(`data: ${revision}\n`);
  stream.close();
});

test('F61 the OpenAPI document declares the header for every write by a tutor', async () => {
  const response = await fetch(`${app.url}/api/openapi.json`);
  const { paths } = (await response.json()) as ApiDescription;
  const operations = Object.values(paths)
    .flatMap((path) => Object.entries(path))
    .filter(
      ([method, { security }]) => method !== 'get' && security.some((scheme) => 'login' in scheme),
    );
  expect(operations.length).toBeGreaterThan(50);
  for (const [, { summary, responses }] of operations) {
    const declared = Object.values(responses).some(({ headers }) => headers?.[REVISION_HEADER]);
    expect(declared, summary).toBe(true);
  }
});

interface ApiDescription {
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  summary: string;
  security: object[];
  responses: Record<string, { headers?: Record<string, unknown> }>;
}
