/**
 * Runs Lighthouse with mobile settings on the landing page, the login page, the family portal with and without a login, and the
 * demo dashboard of the built app.
 *   npm run lighthouse               exits with 1 when a page misses a threshold in scripts/lighthouse/thresholds.ts
 *   npm run lighthouse -- /login     one page
 *   npm run lighthouse -- --ci       requires a performance score of 90 instead of 95, since the CI machine can be slow
 * The page's tasks are measured in processor time, because other processes interrupt them on a machine with few cores.
 * A page that fails is measured up to three times, in CI up to eight times: other programs can only make a page slower.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { portal } from '@lessonbook/contract/portal';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { chromiumOptions as installedChromium } from '@lessonbook/test-env/chromium-options';
import { DEMO_LOGIN, startDemo } from '@lessonbook/test-env/demo';
import { findFreePort } from '@lessonbook/test-env/free-port';
import { lowerPriority, withNormalPriority } from '@lessonbook/test-env/process-priority';
import { type BrowserContext, type Cookie, chromium } from '@playwright/test';
import lighthouse, { type Flags, type Result } from 'lighthouse';
import { throttling } from 'lighthouse/core/config/constants.js';
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js';
import { cpuSlowdown } from './lighthouse/cpu-slowdown.ts';
import {
  bestRun,
  CI_MIN_PERFORMANCE,
  MIN_PERFORMANCE,
  missedThresholds,
  type PageMetrics,
  SIGNED_IN_PORTAL,
  THRESHOLDS,
} from './lighthouse/thresholds.ts';
import { type TraceEvent, toProcessorTime } from './lighthouse/to-processor-time.ts';
import { saveResults, type TestResult } from './results/test-results.ts';

const MAX_ATTEMPTS = 3;
/** Other programs on a CI machine can slow several attempts in a row. */
const CI_MAX_ATTEMPTS = 8;

const args = process.argv.slice(2);
const requestedPaths = args.filter((arg) => !arg.startsWith('--'));
const isCi = args.includes('--ci');
const minPerformance = isCi ? CI_MIN_PERFORMANCE : MIN_PERFORMANCE;
const maxAttempts = isCi ? CI_MAX_ATTEMPTS : MAX_ATTEMPTS;
const paths = Object.keys(THRESHOLDS).filter(
  (path) => requestedPaths.length === 0 || requestedPaths.includes(path),
);

/** A family of the demo account with two children. */
const FAMILY_EMAIL = 'ngozi@families.example';

lowerPriority();
const app = await startDemo();
const profile = mkdtempSync(join(tmpdir(), 'lessonbook-lighthouse-'));
const artifacts = join(profile, 'artifacts');
const port = await findFreePort();
// A persistent context, because Lighthouse opens its page in the default profile and needs the cookie and cache there.
const browser = await withNormalPriority(() =>
  chromium.launchPersistentContext(profile, {
    executablePath: installedChromium.executablePath,
    args: [...installedChromium.args, `--remote-debugging-port=${port}`],
  }),
);
let portalCookies: Cookie[] = [];
try {
  if (paths.includes(SIGNED_IN_PORTAL)) portalCookies = await signInToPortal(browser);
  printRow(['', 'perf', 'a11y', 'best', 'seo', 'FCP', 'LCP', 'TBT', 'CLS', 'CPU']);
  const results: TestResult[] = [];
  for (const path of paths) results.push(await checkPage(path));
  saveResults('lighthouse', results);
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
  await app.stop();
}

async function checkPage(path: string): Promise<TestResult> {
  const source = { file: 'scripts/lighthouse.ts' };
  const runs: PageMetrics[] = [];
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const metrics = await runLighthouse(path);
    runs.push(metrics);
    if (missedThresholds(path, metrics, minPerformance).length === 0)
      return { ...source, title: path, outcome: 'passed' };
  }
  const best = bestRun(path, runs, minPerformance);
  const missed = best ? missedThresholds(path, best, minPerformance) : [];
  for (const threshold of missed) console.log(`  MISSED ${path}: ${threshold}`);
  process.exitCode = 1;
  return { ...source, title: `${path}: ${missed.join('; ')}`, outcome: 'failed' };
}

async function runLighthouse(path: string): Promise<PageMetrics> {
  const cpuSlowdownMultiplier = cpuSlowdown(
    await preparePage(browser, path),
    throttling.mobileSlow4G.cpuSlowdownMultiplier,
  );
  const url = `${app.url}${path}`;
  const flags: Flags = {
    port,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
    // Keeps the login cookie.
    disableStorageReset: true,
    throttling: { ...throttling.mobileSlow4G, cpuSlowdownMultiplier },
  };
  await lighthouse(url, { ...flags, gatherMode: artifacts });
  const traceFile = join(artifacts, 'trace.json');
  const trace = JSON.parse(readFileSync(traceFile, 'utf8')) as { traceEvents: TraceEvent[] };
  const traceEvents = toProcessorTime(trace.traceEvents);
  writeFileSync(traceFile, JSON.stringify({ ...trace, traceEvents }));
  const result = await lighthouse(url, { ...flags, auditMode: artifacts });
  if (!result) throw new Error(`Lighthouse returned no result for ${path}`);
  const metrics = toMetrics(result.lhr);
  const { performance, accessibility, bestPractices, seo } = metrics;
  const { firstContentfulPaint, largestContentfulPaint, totalBlockingTime, layoutShift } = metrics;
  const times = [firstContentfulPaint, largestContentfulPaint, totalBlockingTime].map(
    (ms) => `${Math.round(ms)} ms`,
  );
  const scores = [performance, accessibility, bestPractices, seo].map(String);
  printRow([path, ...scores, ...times, layoutShift.toFixed(3), `÷ ${cpuSlowdownMultiplier}`]);
  return metrics;
}

/**
 * A visitor starts with an empty cache. A tutor or a family arrives from the sign-in page, with that page's files in the cache.
 * Returns the machine's current benchmark index.
 */
async function preparePage(context: BrowserContext, path: string): Promise<number> {
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Network.clearBrowserCache');
  await context.clearCookies();
  // A service worker from an earlier run would affect the result.
  await devTools.send('Storage.clearDataForOrigin', { origin: app.url, storageTypes: 'all' });
  if (path === '/dashboard') {
    await page.goto(`${app.url}/login`, { waitUntil: 'networkidle' });
    await logIn(context);
  }
  if (path === SIGNED_IN_PORTAL) {
    await page.goto(`${app.url}/family`, { waitUntil: 'networkidle' });
    await context.addCookies(portalCookies);
  }
  const index = await page.evaluate(pageFunctions.computeBenchmarkIndex);
  await page.close();
  return index;
}

async function logIn(context: BrowserContext): Promise<void> {
  await post(context, '/api/login', DEMO_LOGIN);
}

/** Opens the portal of the demo account and signs in with the code from the email. Returns the cookies. */
async function signInToPortal(context: BrowserContext): Promise<Cookie[]> {
  await logIn(context);
  await post(context, portalSettings.openPortal.path);
  await context.clearCookies();
  // The worker sends the code, and must not run during the measurements.
  const worker = await app.startWorker();
  const { requestId } = await post(context, portal.requestPortalCode.path, {
    address: FAMILY_EMAIL,
  });
  const { subject } = await app.mailbox.waitFor(({ to }) => to.includes(FAMILY_EMAIL));
  worker.kill('SIGTERM');
  await worker.exited;
  await post(context, portal.signInToPortal.path, { requestId, code: subject.slice(0, 6) });
  return context.cookies();
}

async function post({ request }: BrowserContext, path: string, data = {}) {
  const response = await request.post(`${app.url}${path}`, { headers: { origin: app.url }, data });
  if (!response.ok()) throw new Error(`POST ${path} failed: ${await response.text()}`);
  return (await response.json()) as { requestId?: string };
}

function toMetrics({ categories, audits }: Result): PageMetrics {
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100);
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    seo: score('seo'),
    firstContentfulPaint: value('first-contentful-paint'),
    largestContentfulPaint: value('largest-contentful-paint'),
    totalBlockingTime: value('total-blocking-time'),
    layoutShift: value('cumulative-layout-shift'),
  };
}

function printRow([name = '', ...cells]: readonly string[]): void {
  console.log(`${name.padEnd(18)}${cells.map((cell) => cell.padStart(9)).join('')}`);
}
