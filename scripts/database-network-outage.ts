/**
 * Cuts the connection to the database without closing it, like a pulled network cable, while tutors write and read:
 *
 *   npm run cable                       cuts of 1, 6 and 20 seconds
 *   npm run cable -- --seconds 3,60     other durations
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { accounts } from '@lessonbook/contract/accounts';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { newSignupInput } from '@lessonbook/server/src/test/create-tutor.ts';
import { type Lessonbook, startLessonbook } from '@lessonbook/test-env/lessonbook';
import type { TcpProxy } from '@lessonbook/test-env/tcp-proxy';
import {
  findLostWrites,
  isExpectedResponse,
  isSuccess,
  Load,
  type TimedResponse,
} from './database-network-outage/timed-tutor-load.ts';

const { values: flags } = parseArgs({
  options: { seconds: { type: 'string', default: '1,6,20' } },
});
const TUTORS = 8;
/** The pause between a tutor's requests. */
const PAUSE_MS = 40;
const MAX_RESPONSE_MS = 5_000;
const MAX_RECOVERY_MS = 5_000;
/** Undisturbed time before each cut and after the last one. */
const UNDISTURBED_MS = 8_000;

interface Cut {
  startedAt: number;
  endedAt: number;
  mailMs: number;
}

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

/** Time until the worker has sent an email that was requested after the connection was restored. */
async function measureMail(app: Lessonbook, since: number): Promise<number> {
  const browser = new Browser(app.url, app.url);
  let input = newSignupInput();
  while ((await browser.call(accounts.signup, { body: input })).status !== 201) {
    await pause(50);
    // The sign-up may have been saved even though its response was lost.
    input = newSignupInput();
  }
  await app.mailbox.waitFor((mail) => mail.to.includes(input.email));
  return performance.now() - since;
}

async function cut(app: Lessonbook, proxy: TcpProxy, ms: number): Promise<Cut> {
  const startedAt = performance.now();
  proxy.freeze();
  await pause(ms);
  proxy.thaw();
  const endedAt = performance.now();
  return { startedAt, endedAt, mailMs: await measureMail(app, endedAt) };
}

/** Prints the figures for one cut and returns its violations. */
function evaluateCut(
  { startedAt, endedAt, mailMs }: Cut,
  responses: readonly TimedResponse[],
): string[] {
  const during = responses.filter((each) => each.endedAt > startedAt && each.startedAt < endedAt);
  const refused = during.filter(({ status }) => status === 503);
  const slowest = Math.max(...during.map((each) => each.endedAt - each.startedAt));
  const after = responses.filter(
    (each) => each.endedAt > endedAt && each.startedAt < endedAt + UNDISTURBED_MS,
  );
  const failedAfter = after.filter((each) => !isSuccess(each)).map((each) => each.endedAt);
  const recovery = Math.max(0, ...failedAfter.map((time) => time - endedAt));
  console.log(
    `cut of ${formatSeconds(endedAt - startedAt)}: ${during.length} requests, ${refused.length} refused with 503, ` +
      `slowest response ${formatSeconds(slowest)}; all requests succeed after ${formatSeconds(recovery)}, email after ${formatSeconds(mailMs)}`,
  );
  const unexpected = during.filter((each) => !isExpectedResponse(each));
  return [
    ...unexpected.map(
      ({ operation, status }) => `${operation} returned ${status}, not 503 with Retry-After`,
    ),
    ...(slowest > MAX_RESPONSE_MS ? [`the slowest response took ${formatSeconds(slowest)}`] : []),
    ...(recovery > MAX_RECOVERY_MS ? [`full service took ${formatSeconds(recovery)}`] : []),
    ...(mailMs > MAX_RECOVERY_MS ? [`the email took ${formatSeconds(mailMs)}`] : []),
  ];
}

const app = await startLessonbook({
  apis: 2,
  durable: true,
  cards: false,
  calendar: false,
  googleSignIn: false,
  databaseProxy: true,
  env: { RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'silent' },
});
try {
  const load = new Load(PAUSE_MS);
  await load.start(app, TUTORS);
  const cuts: Cut[] = [];
  for (const duration of flags.seconds.split(',')) {
    await pause(UNDISTURBED_MS);
    cuts.push(await cut(app, app.databaseProxy as TcpProxy, Number(duration) * 1000));
  }
  await pause(UNDISTURBED_MS);
  await load.stop();

  const first = cuts[0]?.startedAt ?? 0;
  const before = load.responses.filter(({ endedAt }) => endedAt < first);
  console.log(
    `before the first cut: ${before.length} requests, slowest response ` +
      formatSeconds(Math.max(...before.map((each) => each.endedAt - each.startedAt))),
  );
  const violations = cuts.flatMap((each) => evaluateCut(each, load.responses));
  violations.push(...(await findLostWrites(app.databaseUrls.maintenanceUrl, load)));
  for (const violation of violations.slice(0, 20)) console.log(`BROKEN  ${violation}`);
  console.log(violations.length === 0 ? 'passed' : `failed; violations: ${violations.length}`);
  process.exitCode = violations.length === 0 ? 0 : 1;
} finally {
  await app.stop();
}
