/**
 * Lighthouse as on a phone, for the landing page, the login page and the demo's dashboard, on the built app.
 *   npm run lighthouse               exits with 1 where a page misses a demand of scripts/lighthouse/thresholds.ts
 *   npm run lighthouse -- /login     one page
 *   npm run lighthouse -- --ci       as CI asks: performance of at least 90 instead of 95, since its machine has slow hours
 * Each page is looked at once, and up to twice more only where it failed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as machinesOwn } from '@lessonbook/test-env/chromium';
import { DEMO_LOGIN, startDemo } from '@lessonbook/test-env/demo';
import { freePort } from '@lessonbook/test-env/free-port';
import { lowerPriority, withNormalPriority } from '@lessonbook/test-env/process-priority';
import { type BrowserContext, chromium } from '@playwright/test';
import lighthouse, { type Result } from 'lighthouse';
import { throttling } from 'lighthouse/core/config/constants.js';
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js';
import { cpuSlowdown } from './lighthouse/slowdown.ts';
import {
  bestRun,
  CI_PERFORMANCE,
  MIN_PERFORMANCE,
  missedThresholds,
  type PageMetrics,
  THRESHOLDS,
} from './lighthouse/thresholds.ts';
import { saveResults, type TestResult } from './results/test-results.ts';

const ATTEMPTS = 3;

const given = process.argv.slice(2);
const wanted = given.filter((word) => !word.startsWith('--'));
const leastPerformance = given.includes('--ci') ? CI_PERFORMANCE : MIN_PERFORMANCE;
const paths = Object.keys(THRESHOLDS).filter(
  (path) => wanted.length === 0 || wanted.includes(path),
);

lowerPriority();
const app = await startDemo();
const profile = mkdtempSync(join(tmpdir(), 'lessonbook-lighthouse-'));
const port = await freePort();
// The browser's own profile and not one of Playwright's, since Lighthouse opens its page there: cookie and cache are shared.
const browser = await withNormalPriority(() =>
  chromium.launchPersistentContext(profile, {
    executablePath: machinesOwn.executablePath,
    args: [...machinesOwn.args, `--remote-debugging-port=${port}`],
  }),
);
try {
  printRow(['', 'perf', 'a11y', 'best', 'seo', 'FCP', 'LCP', 'TBT', 'CLS', 'CPU']);
  const results: TestResult[] = [];
  for (const path of paths) results.push(await check(path));
  saveResults('lighthouse', results);
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
  await app.stop();
}

async function check(path: string): Promise<TestResult> {
  const about = { file: 'scripts/lighthouse.ts' };
  const runs: PageMetrics[] = [];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const figures = await runLighthouse(path);
    runs.push(figures);
    if (missedThresholds(path, figures, leastPerformance).length === 0)
      return { ...about, title: path, outcome: 'passed' };
  }
  const counted = bestRun(path, runs, leastPerformance);
  const missed = counted ? missedThresholds(path, counted, leastPerformance) : [];
  for (const what of missed) console.log(`  MISSED ${path}: ${what}`);
  process.exitCode = 1;
  return { ...about, title: `${path}: ${missed.join('; ')}`, outcome: 'failed' };
}

async function runLighthouse(path: string): Promise<PageMetrics> {
  const cpuSlowdownMultiplier = cpuSlowdown(
    await prepare(browser, path),
    throttling.mobileSlow4G.cpuSlowdownMultiplier,
  );
  const result = await lighthouse(`${app.url}${path}`, {
    port,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility', 'best-practices', 'seo'],
    // The login is a cookie.
    disableStorageReset: true,
    throttling: { ...throttling.mobileSlow4G, cpuSlowdownMultiplier },
  });
  if (!result) throw new Error(`Lighthouse said nothing about ${path}`);
  const figures = toMetrics(result.lhr);
  const { performance, accessibility, bestPractices, seo } = figures;
  const { firstPaint, largestPaint, blocked, shift } = figures;
  const times = [firstPaint, largestPaint, blocked].map((ms) => `${Math.round(ms)} ms`);
  const scores = [performance, accessibility, bestPractices, seo].map(String);
  printRow([path, ...scores, ...times, shift.toFixed(3), `÷ ${cpuSlowdownMultiplier}`]);
  return figures;
}

/**
 * A visitor comes with an empty cache. A tutor comes from the login page, and has what that page has fetched.
 * Answers how fast the machine is just now.
 */
async function prepare(context: BrowserContext, path: string): Promise<number> {
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Network.clearBrowserCache');
  await context.clearCookies();
  // Nor is there a service worker of an earlier look, or the second look would be at something else than the first.
  await devTools.send('Storage.clearDataForOrigin', { origin: app.url, storageTypes: 'all' });
  if (path === '/dashboard') {
    await page.goto(`${app.url}/login`, { waitUntil: 'networkidle' });
    await logIn(context);
  }
  const index = await page.evaluate(pageFunctions.computeBenchmarkIndex);
  await page.close();
  return index;
}

async function logIn({ request }: BrowserContext): Promise<void> {
  const answer = await request.post(`${app.url}/api/login`, {
    headers: { origin: app.url },
    data: DEMO_LOGIN,
  });
  if (!answer.ok()) throw new Error(`The demo could not log in: ${answer.status()}`);
}

function toMetrics({ categories, audits }: Result): PageMetrics {
  const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100);
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    seo: score('seo'),
    firstPaint: value('first-contentful-paint'),
    largestPaint: value('largest-contentful-paint'),
    blocked: value('total-blocking-time'),
    shift: value('cumulative-layout-shift'),
  };
}

function printRow([name = '', ...cells]: readonly string[]): void {
  console.log(`${name.padEnd(12)}${cells.map((cell) => cell.padStart(9)).join('')}`);
}
