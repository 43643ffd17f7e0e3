/**
 * Takes screenshots of the main screens at five widths, in light and dark mode, for a full and an empty account.
 *   npm run build && npm run layouts -- [--only students,invoices] [--widths 390,1440] [--themes light]
 * The screenshots are written to .cache/layouts.
 */

import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { accounts } from '@lessonbook/contract/accounts';
import { addDaysToDate } from '@lessonbook/contract/dates';
import { chromiumOptions } from '@lessonbook/test-env/chromium-options';
import { startLessonbook } from '@lessonbook/test-env/lessonbook';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { type ApiClient, createApiClient } from './api-client.ts';
import { storeTheme, type Theme } from './page-objects/navigation.ts';
import { seedFullAccount } from './seed-full-time-tutor-account.ts';
import { createTutor } from './sign-up-tutor.ts';

const OUTPUT = fileURLToPath(new URL('../.cache/layouts/', import.meta.url));
const sizes: Record<string, { width: number; height: number }> = {
  390: { width: 390, height: 844 },
  820: { width: 820, height: 1180 },
  1280: { width: 1280, height: 800 },
  1440: { width: 1440, height: 900 },
  1920: { width: 1920, height: 1080 },
};

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    widths: { type: 'string', default: Object.keys(sizes).join(',') },
    themes: { type: 'string', default: 'light,dark' },
  },
});

const env = {
  RATE_LIMIT_FACTOR: '1000',
  SECRET_KEY: randomBytes(32).toString('base64'),
  ENCRYPTION_KEYS: `pictures:${randomBytes(32).toString('base64')}`,
  MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
  LOG_LEVEL: 'warn',
};

/** The screens that are also shown for the empty account. */
const mainScreens = {
  home: '/',
  schedule: '/schedule',
  students: '/students',
  families: '/families',
  invoices: '/invoices',
  messages: '/messages',
  'messages-sent': '/messages?show=sent',
  'message-new': '/messages/new',
  more: '/',
  search: '/',
  shortcuts: '/',
  reports: '/reports',
  'reports-all-time': '/reports?period=all_time',
  'reports-lessons': '/reports?show=lessons&period=this_tax_year',
  notifications: '/notifications',
  settings: '/settings',
  security: '/settings/security',
  'family-portal': '/settings/family-portal',
  import: '/settings/import',
  'import-preview': '/settings/import',
  'quick-add': '/',
  'time-off': '/settings/time-off',
  rates: '/settings/rates',
  'price-rise': '/settings/rates/raise',
  'school-terms': '/settings/school-terms',
  'cancellation-policy': '/settings/cancellation-policy',
  'lesson-dialog': '/schedule',
};

/**
 * Prepares a screen for its screenshot, for example by opening a dialog. Returns false if there is nothing to open at this
 * width; no screenshot is then taken.
 */
const preparations: Record<string, (page: Page, width: number) => Promise<boolean>> = {
  async more(page, width) {
    if (width >= 992) return false;
    await page.getByRole('button', { name: 'More', exact: false }).click();
    await page.getByRole('dialog', { name: 'More' }).waitFor();
    return true;
  },
  async search(page) {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ma');
    await page.getByRole('option').first().waitFor();
    await page.getByText('Searching...').waitFor({ state: 'detached' });
    return true;
  },
  async 'quick-add'(page) {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Maya maths Tue 4pm weekly');
    await page.getByRole('option').first().waitFor();
    return true;
  },
  async 'bulk-review'(page) {
    await openBulkReview(page);
    return true;
  },
  async 'bulk-confirm'(page) {
    await openBulkReview(page);
    await page.getByRole('button', { name: /^(Issue|Email) \d+/ }).click();
    await page.getByRole('dialog').waitFor();
    return true;
  },
  async 'import-preview'(page) {
    const file = Buffer.from('Name,Carer name,Owes\nMaya North,Ruth North,£70\nTom,,lots\n');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'students.csv', mimeType: 'text/csv', buffer: file });
    await page.getByText('Maya North').waitFor();
    return true;
  },
  async 'week-popover'(page, width) {
    if (width < 992) return false;
    await page.locator('[data-event]').first().click();
    return true;
  },
  async 'lesson-dialog'(page) {
    await page.getByRole('button', { name: 'New Lesson' }).first().click();
    await page.getByRole('dialog', { name: 'New Lesson' }).waitFor();
    return true;
  },
  async shortcuts(page, width) {
    if (width < 992) return false;
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    return true;
  },
};

/** Creates the drafts on the first visit and reviews the same drafts after that. */
async function openBulkReview(page: Page): Promise<void> {
  const earlierDrafts = page.getByRole('button', { name: /^Review \d+/ });
  const create = page.getByRole('button', { name: 'Draft invoices' });
  await ((await earlierDrafts.isVisible()) ? earlierDrafts : create).click();
  await page.getByRole('heading', { name: /^Review/ }).waitFor();
}

async function listScreens(api: ApiClient): Promise<Record<string, string>> {
  const [families, invoices, students, { today, upcoming }] = await Promise.all([
    api.families(),
    api.invoices(),
    api.students(),
    api.dashboard(),
  ]);
  return {
    ...mainScreens,
    week: `/schedule?date=${addDaysToDate(today, 7)}&board=week`,
    'week-popover': `/schedule?date=${addDaysToDate(today, 7)}&board=week`,
    'bulk-invoice': '/invoices/everyone',
    'bulk-review': '/invoices/everyone',
    'bulk-confirm': '/invoices/everyone',
    complete: '/lessons/1/complete',
    student: `/students/${students[0]?.id}`,
    family: `/families/${families[0]?.id}`,
    invoice: `/invoices/${invoices[0]?.id}`,
    lesson: `/sessions/${upcoming[0]?.id}`,
    'message-many': `/messages/new?families=${families
      .slice(0, 5)
      .map(({ id }) => id)
      .join('-')}`,
  };
}

const isChosen = (name: string) =>
  values.only === undefined || values.only.split(',').includes(name);

type LoginState = Awaited<ReturnType<BrowserContext['storageState']>>;

interface Account {
  name: 'full' | 'empty';
  loginState: LoginState;
  screens: Record<string, string>;
}

async function takeScreenshots(browser: Browser, { name, loginState, screens }: Account) {
  for (const theme of values.themes.split(',') as Theme[]) {
    for (const width of values.widths.split(',')) {
      const context = await browser.newContext({
        baseURL: app.url,
        storageState: loginState,
        viewport: sizes[width] ?? null,
        isMobile: Number(width) < 992,
        hasTouch: Number(width) < 992,
        locale: 'en-GB',
        timezoneId: 'Europe/London',
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
      });
      const page = await context.newPage();
      await storeTheme(page, theme);
      for (const [screen, path] of Object.entries(screens)) {
        if (!isChosen(screen)) continue;
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        if (preparations[screen] && !(await preparations[screen](page, Number(width)))) continue;
        await page.waitForLoadState('networkidle');
        await page.evaluate(() => document.fonts.ready);
        const file = `${OUTPUT}${screen}-${name}-${width}-${theme}.png`;
        await page.screenshot({ path: file, animations: 'disabled' });
      }
      await context.close();
    }
  }
}

mkdirSync(OUTPUT, { recursive: true });
const app = await startLessonbook({ cards: false, calendar: false, googleSignIn: false, env });
const browser = await chromium.launch(chromiumOptions);
try {
  const full = await browser.newContext();
  const { login } = await seedFullAccount(app, env);
  await full.request.post(`${app.url}${accounts.login.path}`, {
    headers: { origin: app.url },
    data: login,
  });
  await takeScreenshots(browser, {
    name: 'full',
    loginState: await full.storageState(),
    screens: await listScreens(createApiClient(full.request, app.url)),
  });
  const empty = await browser.newContext();
  await createTutor(empty.request, app.url);
  await takeScreenshots(browser, {
    name: 'empty',
    loginState: await empty.storageState(),
    screens: mainScreens,
  });
} finally {
  await browser.close();
  await app.stop();
}
