import { fileURLToPath } from 'node:url';
import { accounts } from '@lessonbook/contract/accounts';
import { cards } from '@lessonbook/contract/card-payments';
import { search } from '@lessonbook/contract/search';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { newSignupInput } from '@lessonbook/server/src/test/create-tutor.ts';
import { plantTextEverywhere } from '@lessonbook/server/src/test/database-canaries.ts';
import {
  type Lessonbook,
  type ServingProcess,
  startLessonbook,
} from '@lessonbook/test-env/lessonbook';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CANARY } from './security-fuzz/canaries.ts';
import { createTutorAccount, type TutorAccount } from './security-fuzz/tutor-accounts.ts';
import { type Span, startOtlpReceiver } from './tracing/otlp-receiver.ts';

const importOption = (path: string) =>
  `--import=${fileURLToPath(new URL(`../${path}`, import.meta.url))}`;
const TRACING = importOption('packages/tracing/src/register.ts');

type Receiver = Awaited<ReturnType<typeof startOtlpReceiver>>;

const createEnvironment = (receiver: Receiver, nodeOptions = TRACING) => ({
  NODE_OPTIONS: nodeOptions,
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
});

/** Stops the processes, which export their remaining spans. */
async function stopProcesses(processes: readonly ServingProcess[]): Promise<void> {
  await Promise.all(
    processes.map(async (each) => {
      each.kill('SIGTERM');
      const { code } = await each.exited;
      if (code !== 0) throw new Error(`${each.name} ended with ${code}: ${each.output()}`);
    }),
  );
}

/** Reads every list, report and file that the tutor may read, with a canary in each query. */
async function readEverything(browser: Browser): Promise<number> {
  const { body } = await browser.send('GET', '/api/openapi.json');
  const { paths } = body as { paths: Record<string, Record<string, object>> };
  let read = 0;
  for (const [path, methods] of Object.entries(paths)) {
    // The stream does not end.
    if (!methods['get'] || path.endsWith('/stream')) continue;
    const url = `${path.replaceAll(/\{\w*[iI]d\}/g, '10001').replaceAll(/\{\w+\}/g, `${CANARY}-path`)}?q=${CANARY}-query`;
    if ((await browser.send('GET', url)).status === 200) read += 1;
  }
  return read;
}

/** The database is shared by all tests; each test starts its own processes. */
let app: Lessonbook;
let admin: pg.Client;
let tutor: TutorAccount;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  app = await startLessonbook({
    calendar: false,
    googleSignIn: false,
    env: { ...createEnvironment(receiver), RATE_LIMIT_FACTOR: '1000' },
  });
  admin = new pg.Client(app.databaseUrls.maintenanceUrl);
  await admin.connect();
  const browser = () => new Browser(app.url, app.url);
  tutor = await createTutorAccount({ admin, browser }, 'traced', CANARY, 10_000);
});
afterAll(async () => {
  await admin.end();
  await app.stop();
  await receiver.stop();
});

describe('with tracing', () => {
  let secrets: string[];
  let spans: Span[];
  let read = 0;
  const signup = newSignupInput({
    name: `${CANARY} signup`,
    email: `${CANARY}-signup@example.com`,
    username: `${CANARY}-signup`,
    // A password must not contain the name.
    password: 'staple battery horse',
  });

  beforeAll(async () => {
    const newcomer = new Browser(app.url, app.url);
    const { status } = await newcomer.call(accounts.signup, { body: signup });
    if (status !== 201) throw new Error(`Signing up failed: ${status}`);
    await app.mailbox.waitFor((mail) => mail.to.includes(signup.email));
    await newcomer.call(accounts.login, { body: { ...signup, password: `${CANARY} wrong` } });
    await newcomer.call(accounts.signup, { body: signup });
    await newcomer.send('POST', `/api/${CANARY}-unknown?email=${CANARY}`, `{"${CANARY}": `);

    await tutor.browser.call(search.search, { query: { q: CANARY } });
    await tutor.browser.call(cards.createCardAccount);
    await plantTextEverywhere(admin, tutor.tutorId, CANARY);
    read = await readEverything(tutor.browser);
    // Some of the jobs fail because of the canaries in the rows that they read.
    const areJobsDone = async () => {
      const { rows } = await admin.query(
        `select from jobs.job where state = 'active' or (state = 'created' and start_after <= now())`,
      );
      return rows.length === 0;
    };
    await waitUntil(areJobsDone, () => 'jobs are still waiting or running');
    secrets = [
      ...app.mailbox.emails().flatMap((mail) => mail.text.match(/(?<=\/)[\w-]{20,}/g) ?? []),
      ...tutor.browser.cookies.values(),
      tutor.tutorId,
      signup.password,
    ];
    await stopProcesses([...app.apis, ...app.workers]);
    spans = receiver.spans();
  });

  test('the API and the worker export all kinds of spans', () => {
    expect(read).toBeGreaterThan(30);
    expect(new Set(spans.map((span) => span.service))).toEqual(
      new Set(['lessonbook-api', 'lessonbook-worker']),
    );
    const names = new Set(spans.map((span) => span.name));
    expect([...names]).toEqual(
      expect.arrayContaining([
        'GET /api/students',
        'POST /api/login',
        'tutorTransaction',
        'tutorRead',
        'wait for connection',
        'lock tutor',
        'commit',
        'insert job',
        'job account-mail',
        'smtp send',
        'stripe createAccount',
      ]),
    );
    const vendor = spans.find((span) => span.name === 'stripe createAccount');
    expect(vendor?.attributes).toMatchObject({ 'server.address': '127.0.0.1' });
    const unknown = spans.filter((span) => span.attributes['http.response.status_code'] === 404);
    expect(unknown.length).toBeGreaterThan(0);
    for (const span of unknown) expect(span.name).not.toContain(CANARY);
  });

  test('a trace leads from a request to its transaction, the statement that enqueues a job, the job and its email', () => {
    const parentOf = ({ traceId, parentSpanId }: Span) =>
      spans.find((span) => span.spanId === parentSpanId && span.traceId === traceId);
    const chains = spans
      .filter((span) => span.name === 'smtp send')
      .map((span) => {
        const chain = [span];
        for (let parent = parentOf(span); parent; parent = parentOf(parent)) chain.push(parent);
        return chain.map(({ name }) => name).toReversed();
      });
    expect(chains).toContainEqual([
      'POST /api/signup',
      'tutorTransactionUnlocked',
      'insert job',
      'job account-mail',
      'smtp send',
    ]);
    // Except for requests and scheduled jobs, every span has a parent that was exported.
    const orphans = spans.filter(
      (span) => !parentOf(span) && !/^(GET|POST|PUT|PATCH|DELETE|HEAD|job) /.test(span.name),
    );
    const requests = spans.filter((span) => /^(GET|POST|PUT) /.test(span.name));
    expect(orphans.map(({ name, service }) => `${service} ${name}`)).toEqual([]);
    expect(requests.filter((span) => span.parentSpanId)).toEqual([]);
  });

  test('[T24] no span contains a name, an address, free text, a token, a cookie or a tutor id', () => {
    expect(secrets.length).toBeGreaterThan(3);
    expect(findLeaks(receiver.text(), secrets)).toEqual([]);
    const keys = new Set(spans.flatMap((span) => Object.keys(span.attributes)));
    expect([...keys].toSorted()).toEqual([
      'db.query.summary',
      'db.system.name',
      'error.type',
      'http.request.method',
      'http.response.status_code',
      'http.route',
      'lessonbook.attempt',
      'lessonbook.job',
      'lessonbook.request_id',
      'lessonbook.statement',
      'lessonbook.vendor',
      'server.address',
    ]);
  });
});

/** The fixture's phone numbers do not begin with the canary. */
const PHONE_NUMBERS = ['7700911111', '7700922222', '7700933333'];

const findLeaks = (text: string, secrets: readonly string[]): string[] =>
  [CANARY, '@', ...PHONE_NUMBERS, ...secrets].filter((each) =>
    text.toLowerCase().includes(each.toLowerCase()),
  );

async function signUpAndReceiveMail(api: ServingProcess): Promise<void> {
  const signup = newSignupInput();
  const { status } = await new Browser(api.url, app.url).call(accounts.signup, { body: signup });
  expect(status).toBe(201);
  await app.mailbox.waitFor((mail) => mail.to.includes(signup.email));
}

describe('other processes', () => {
  let other: Receiver;
  beforeEach(async () => {
    other = await startOtlpReceiver();
  });
  afterEach(() => other.stop());

  async function startProcesses(env: Record<string, string> = {}) {
    const added = { ...createEnvironment(other), ...env };
    return Promise.all([app.startApi(undefined, added), app.startWorker(added)]);
  }

  test('[T24] the check finds a span with the URL of a request, including its token', async () => {
    const options = `${TRACING} ${importOption('scripts/tracing/planted-leak.ts')}`;
    const api = await app.startApi(undefined, createEnvironment(other, options));
    const url = `/api/search?q=${CANARY}&token=${tutor.tutorId}`;
    await new Browser(api.url, app.url).send('GET', url);
    await stopProcesses([api]);
    expect(findLeaks(other.text(), [tutor.tutorId])).toEqual([CANARY, tutor.tutorId]);
  });

  test('with a sampling ratio of 0, no new trace is exported and jobs still run', async () => {
    const [api, worker] = await startProcesses({ OTEL_TRACES_SAMPLER_ARG: '0' });
    await signUpAndReceiveMail(api);
    await stopProcesses([api, worker]);
    // A job that failed above is retried as part of its original trace.
    const traced = new Set(receiver.spans().map((span) => span.traceId));
    expect(other.spans().filter(({ traceId }) => !traced.has(traceId))).toEqual([]);
  });

  test('a collector that rejects all spans is logged once and does not affect requests or jobs', async () => {
    other.setRejecting(true);
    const [api, worker] = await startProcesses();
    await signUpAndReceiveMail(api);
    await api.waitForLine(/spans cannot be exported/);
    await signUpAndReceiveMail(api);
    other.setRejecting(false);
    await signUpAndReceiveMail(api);
    await stopProcesses([api, worker]);
    expect(other.spans().length).toBeGreaterThan(0);
    expect(api.output().match(/spans cannot/g)).toHaveLength(1);
    expect(api.output().match(/spans are exported again/g)).toHaveLength(1);
  });
});
