/**
 * How long a tap or a key takes until the page shows what came of it, on a phone six times slower than this machine, in the
 * demo's book on the built app.
 *   npm run interactions              all flows of scripts/interactions/flows.ts
 *   npm run interactions -- --short   the few that CI runs
 *   npm run interactions -- --ci      as CI asks: within three times the goal, since its machine has slow hours
 *   npm run interactions -- NAME      those whose name has NAME in it
 *   npm run interactions -- --short --planted   with a handler that dawdles, which must be noticed
 * A flow that is too slow is walked up to three times, and its best walk counts.
 * Exits with 1 where the 98th percentile of all interactions is above the limit.
 */
import { beforeTheRest, standBack } from '@lessonbook/stage/before-the-rest';
import { chromium as machinesOwn } from '@lessonbook/stage/chromium';
import { DEMO_LOGIN, startDemo } from '@lessonbook/stage/demo';
import { CI_SLOWDOWN } from '@lessonbook/stage/slow-machine';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js';
import { findPlaces } from './interactions/demo-places.ts';
import { type Flow, flows } from './interactions/flows.ts';
import {
  bestOf,
  GOAL_MS,
  type Interaction,
  interactionsOf,
  p98,
  type Timed,
  worstOf,
} from './interactions/judge.ts';
import { slowdownFor } from './lighthouse/slowdown.ts';
import { keepResults } from './results/test-results.ts';

const SLOWDOWN = 6;
const PHONE = { width: 390, height: 844 };
/** What else the machine does makes a walk slower, never faster; as often as Lighthouse is asked. */
const WALKS = 3;

const given = process.argv.slice(2);
const names = given.filter((word) => !word.startsWith('--'));
const limitMs = given.includes('--ci') ? CI_SLOWDOWN * GOAL_MS : GOAL_MS;
const chosen = flows.filter(({ name, short }) =>
  given.includes('--short') ? short === true : names.every((part) => name.includes(part)),
);

standBack();
const stage = await startDemo();
const browser = await beforeTheRest(() => chromium.launch(machinesOwn));
try {
  const context = await browser.newContext({
    baseURL: stage.url,
    viewport: PHONE,
    isMobile: true,
    hasTouch: true,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
  });
  context.setDefaultTimeout(60_000);
  const answer = await context.request.post('/api/login', {
    headers: { origin: stage.url },
    data: DEMO_LOGIN,
  });
  if (!answer.ok()) throw new Error(`The demo could not log in: ${answer.status()}`);
  const places = await findPlaces(context.request, stage.url);
  await context.addInitScript(rememberEvents);
  if (given.includes('--planted')) await context.addInitScript(dawdle);

  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  const rate = slowdownFor(await page.evaluate(pageFunctions.computeBenchmarkIndex), SLOWDOWN);
  console.log(`Processor slowed down ${rate} times.`);

  const all: Interaction[] = [];
  for (const flow of chosen) {
    const from = places[flow.from] ?? flow.from;
    const { best: found, walks } = await bestOf(WALKS, limitMs, () =>
      walk(page, devTools, { ...flow, from }, rate),
    );
    const slow = found.filter(({ ms }) => ms > GOAL_MS);
    console.log(
      `${flow.name.padEnd(58)} ${String(found.length).padStart(3)} ${String(worstOf(found)).padStart(5)} ms ${walks > 1 ? `, best of ${walks}` : ''}`,
    );
    for (const { name, on, ms } of slow) console.log(`  ${ms} ms  ${name} on "${on}"`);
    all.push(...found);
  }
  const figure = p98(all);
  const verdict = figure <= limitMs && all.length > 0 ? 'met' : 'MISSED';
  const words = `${verdict}: 98 % of ${all.length} interactions within ${figure} ms, at most ${limitMs}; the slowest ${worstOf(all)} ms`;
  console.log(`\n${words}`);
  const outcome = verdict === 'met' ? 'passed' : 'failed';
  keepResults('interactions', [{ file: 'scripts/interactions.ts', title: words, outcome }]);
  process.exitCode = verdict === 'met' ? 0 : 1;
} finally {
  await browser.close();
  await stage.stop();
}

/** The screen comes at full speed; from then on the processor is slow. */
async function walk(
  page: Page,
  devTools: CDPSession,
  flow: Flow,
  rate: number,
): Promise<Interaction[]> {
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await page.goto(flow.from, { waitUntil: 'networkidle' });
  await devTools.send('Emulation.setCPUThrottlingRate', { rate });
  await flow.act(page);
  // An event is reported once the page has shown what came of it.
  await page.waitForTimeout(600);
  return interactionsOf(
    await page.evaluate(() => Reflect.get(globalThis, 'timedEvents') as Timed[]),
  );
}

/** As much of an element as is asked for; scripts do not know the page's types. */
interface Pressed {
  textContent: string;
  closest: (selector: string) => Pressed | null;
  getAttribute: (name: string) => string | null;
}

/** Runs in the page, before anything else. */
function rememberEvents(): void {
  const seen: object[] = [];
  Reflect.set(globalThis, 'timedEvents', seen);
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { name, duration } = entry;
      const pressed = Reflect.get(entry, 'target') as Pressed | null;
      const around = pressed?.closest('button, a, label, input, [role]') ?? pressed;
      const on = around?.getAttribute('aria-label') ?? around?.textContent ?? '';
      const interactionId = Reflect.get(entry, 'interactionId');
      seen.push({ name, duration, on: on.slice(0, 40), interactionId });
    }
  });
  observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as never);
}

/** Runs in the page: a quarter of a second of nothing at each tap, by the clock on the wall. */
function dawdle(): void {
  const wait = () => {
    const end = performance.now() + 250;
    while (performance.now() < end);
  };
  Reflect.get(globalThis, 'addEventListener').call(globalThis, 'click', wait, true);
}
