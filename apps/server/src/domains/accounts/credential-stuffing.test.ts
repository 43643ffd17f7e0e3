import { performance } from 'node:perf_hooks';
import { accounts, type SignupInput } from '@lessonbook/contract/accounts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { compareTimings } from '../../test/compare-timings.ts';
import { newSignupInput, PASSWORD } from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

const LONG = process.env['LONG'] === '1';
const ATTEMPTS = LONG ? 20_000 : 600;
const CONCURRENCY = 40;
const START = Date.parse('2026-11-16T12:00:00Z');
/** A device id in the right format, one minute old, but without a valid signature. */
const FORGED_DEVICE = `${(START - 60_000).toString(36)}-made-up-`;
const SAMPLE_COUNT = LONG ? 300 : 80;

let app: TestApp;
async function restartApp(environment: Record<string, string> = {}) {
  await app?.close();
  app = await startTestApp({ TRUSTED_PROXIES: '127.0.0.1', ...environment });
}
beforeEach(() => restartApp());
afterAll(() => app.close());

const from = (address: string) => app.browser({ 'x-forwarded-for': address });

async function createAccount(): Promise<SignupInput> {
  const input = newSignupInput();
  await from('192.0.2.1').call(accounts.signup, { body: input });
  return input;
}

const logIn = (browser: Browser, username: string, password: string) =>
  browser.call(accounts.login, { body: { username, password } });

/** The number of password hash comparisons so far, read from the metrics endpoint. */
async function countPasswordChecks(): Promise<number> {
  const { body } = await app.browser().send('GET', '/metrics');
  const lines = String(body).matchAll(/^lessonbook_password_checks_total\{[^}]*\} (\d+)/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** The IP address used for attempt n: a botnet of IPv4 hosts, or a single host that owns an IPv6 /64. */
const addressGenerators = {
  'many IPv4 addresses': (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
  'one IPv6 /64': (n: number) => `2001:db8:5:6:${n.toString(16)}::${(n % 7) + 1}`,
};

const spellings = ({ username, email }: SignupInput) => [
  username,
  username.toUpperCase(),
  ` ${username}`,
  email,
  email.toUpperCase(),
];

describe('[V2.4.1, V6.3.1] credential stuffing against one account', () => {
  test.each(Object.entries(addressGenerators))(
    `${ATTEMPTS} attempts from %s within an hour: at most ten passwords are checked, and the tutor can still log in`,
    async (where, addressFor) => {
      const victim = await createAccount();
      const ownBrowser = from('192.0.2.1');
      expect((await logIn(ownBrowser, victim.username, PASSWORD)).status).toBe(200);
      const names = spellings(victim);
      const before = await countPasswordChecks();
      const statusCounts = new Map<number, number>();
      for (let n = 0; n < ATTEMPTS; n += CONCURRENCY) {
        // Spread the attempts evenly over one hour on the fake clock.
        app.clock.set(new Date(START + (3_599_000 * n) / ATTEMPTS).toISOString());
        const batch = await Promise.all(
          Array.from({ length: CONCURRENCY }, async (_, k) => {
            const attempt = n + k;
            // Spoofed headers: only the last address in X-Forwarded-For is added by the trusted proxy.
            const browser = app.browser({
              'x-forwarded-for': `203.0.113.${attempt % 250}, ${addressFor(attempt)}`,
              forwarded: `for=192.0.2.${attempt % 250}`,
              'x-real-ip': `192.0.2.${attempt % 250}`,
              cookie: `lessonbook-device=${FORGED_DEVICE}${attempt}.${'A'.repeat(43)}`,
            });
            return logIn(browser, names[attempt % names.length] ?? '', `guess ${attempt}`);
          }),
        );
        for (const { status } of batch)
          statusCounts.set(status, (statusCounts.get(status) ?? 0) + 1);
      }
      const checks = (await countPasswordChecks()) - before;
      process.stdout.write(
        `${ATTEMPTS} from ${where}: ${checks} passwords compared, responses ${JSON.stringify([...statusCounts])}\n`,
      );
      expect(checks).toBeGreaterThan(0);
      expect(checks).toBeLessThanOrEqual(10);
      expect(statusCounts.get(401)).toBe(checks);
      expect(statusCounts.get(429)).toBe(ATTEMPTS - checks);

      // An untrusted browser is rejected even with the correct password; the tutor's trusted browser is not.
      expect((await logIn(from('198.51.100.7'), victim.username, PASSWORD)).status).toBe(429);
      expect((await logIn(ownBrowser, victim.username, PASSWORD)).status).toBe(200);
    },
    LONG ? 1_200_000 : 120_000,
  );

  test('[T14] path variants with extra slashes or capitals return 404', async () => {
    const victim = await createAccount();
    const before = await countPasswordChecks();
    for (const path of ['/api/login/', '/API/login', '//api/login', '/api//login', '/api/login%2F'])
      expect(
        (
          await from('198.51.100.9').send('POST', path, {
            username: victim.username,
            password: PASSWORD,
          })
        ).status,
      ).toBe(404);
    expect(await countPasswordChecks()).toBe(before);
  });
});

describe('a trusted browser', () => {
  test('has a signed HttpOnly cookie that changes on every login', async () => {
    const victim = await createAccount();
    const ownBrowser = from('192.0.2.1');
    const [, line = ''] = (
      await logIn(ownBrowser, victim.username, PASSWORD)
    ).headers.getSetCookie();
    expect(line).toMatch(/^lessonbook-device=[\da-z]+-[\w-]{16}\.[\w-]{43};/);
    expect(line).toContain('HttpOnly');
    expect(line).toContain('SameSite=Lax');
    const first = ownBrowser.cookies.get('lessonbook-device');
    await logIn(ownBrowser, victim.username, PASSWORD);
    expect(ownBrowser.cookies.get('lessonbook-device')).not.toBe(first);
    // The cookie does not identify the account.
    const { rows } = await app.admin.query('select tutor_id, public_id from tutors');
    for (const row of rows as { tutor_id: string; public_id: string }[]) {
      expect(first).not.toContain(row.tutor_id);
      expect(first).not.toContain(row.public_id);
    }
  });

  test('has its own rate limit, as strict as the limit for untrusted browsers', async () => {
    const victim = await createAccount();
    const ownBrowser = from('192.0.2.1');
    await logIn(ownBrowser, victim.username, PASSWORD);
    const statuses: number[] = [];
    for (let n = 0; n < 8; n++)
      statuses.push((await logIn(ownBrowser, victim.username, 'wrong one')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
  });

  test('[V9.1.1] its cookie is rejected for another account, or if it has been modified', async () => {
    const [victim, attacker] = [await createAccount(), await createAccount()];
    const attackerBrowser = from('198.51.100.1');
    await logIn(attackerBrowser, attacker.username, PASSWORD);
    const cookie = attackerBrowser.cookies.get('lessonbook-device') ?? '';
    for (let n = 0; n < 6; n++) await logIn(from('198.51.100.2'), victim.username, 'wrong one');
    expect((await logIn(attackerBrowser, victim.username, 'wrong one')).status).toBe(429);
    attackerBrowser.cookies.set(
      'lessonbook-device',
      cookie.replace(/^./, (c) => (c === 'z' ? 'y' : 'z')),
    );
    expect((await logIn(attackerBrowser, victim.username, 'wrong one')).status).toBe(429);
  });

  test('can be trusted by several accounts', async () => {
    const [ada, bea] = [await createAccount(), await createAccount()];
    const shared = from('192.0.2.1');
    await logIn(shared, ada.username, PASSWORD);
    await logIn(shared, bea.username, PASSWORD);
    for (const victim of [ada, bea]) {
      for (let n = 0; n < 7; n++) await logIn(from('198.51.100.2'), victim.username, 'wrong one');
      expect((await logIn(shared, victim.username, PASSWORD)).status).toBe(200);
    }
  });
});

test('[API-08, T17] the response time does not reveal whether a username exists', async () => {
  await restartApp({ RATE_LIMIT_FACTOR: '100000' });
  const victim = await createAccount();
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let n = -6; n < SAMPLE_COUNT; n++) {
    // Interleave the two cases so that other load on the machine affects both equally.
    for (const kind of n % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
      const name = kind === 'known' ? victim.username : `nobody.${n + 6}`;
      const start = performance.now();
      await logIn(from('192.0.2.1'), name, 'wrong one');
      if (n >= 0) times[kind].push(performance.now() - start);
    }
  }
  const { proportionLarger, zScore, medians } = compareTimings(times.known, times.unknown);
  process.stdout.write(
    `${SAMPLE_COUNT} responses each: median ${medians.map((ms) => ms.toFixed(1)).join(' and ')} ms for a known and an unknown name; ` +
      `the known one took longer in ${(100 * proportionLarger).toFixed(0)} % of pairs (${zScore.toFixed(1)} standard deviations)\n`,
  );
  expect(Math.abs(zScore)).toBeLessThan(4.5);
  // Both cases perform a real hash comparison.
  expect(Math.min(...medians)).toBeGreaterThan(5);
}, 900_000);
