/**
 * Takes screenshots of every email (on a phone in light and dark mode, and on a desktop) and arranges them on one sheet.
 *   npm run email-sheet          writes .cache/emails/sheet.png, next to the emails as HTML and text
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import config from './playwright.config.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = join(ROOT, '.cache/emails');
const VIEWS = [
  { name: 'phone-light', width: 390, colorScheme: 'light' },
  { name: 'phone-dark', width: 390, colorScheme: 'dark' },
  { name: 'desktop-light', width: 640, colorScheme: 'light' },
] as const;

rmSync(FOLDER, { recursive: true, force: true });
// The test sends the emails through the real app.
const { status } = spawnSync('npx', ['vitest', 'run', 'domains/messages/emails.test.ts'], {
  cwd: ROOT,
  env: { ...process.env, EMAIL_HTML_FOLDER: FOLDER },
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

const emails = readdirSync(FOLDER).filter((file) => file.endsWith('.html'));
const browser = await chromium.launch(config.use?.launchOptions ?? {});
for (const { name, width, colorScheme } of VIEWS) {
  const page = await browser.newPage({ viewport: { width, height: 500 }, colorScheme });
  for (const email of emails) {
    await page.goto(pathToFileURL(join(FOLDER, email)).href);
    const path = join(FOLDER, email.replace(/html$/, `${name}.png`));
    await page.screenshot({ path, fullPage: true });
  }
  await page.close();
}
const sheet = join(FOLDER, 'sheet.html');
writeFileSync(sheet, renderSheet());
const page = await browser.newPage({ viewport: { width: 1480, height: 800 } });
await page.goto(pathToFileURL(sheet).href);
await page.screenshot({ path: join(FOLDER, 'sheet.png'), fullPage: true });
await browser.close();
console.log(`${emails.length} emails on ${join(FOLDER, 'sheet.png')}`);

function renderSheet(): string {
  const rows = emails.map((email) => {
    const images = VIEWS.map(({ name, width }) => {
      const file = encodeURIComponent(email.replace(/html$/, `${name}.png`));
      return `<img src="${file}" width="${width}" alt="">`;
    });
    return `<h2>${email.replace(/\.html$/, '')}</h2><div>${images.join('')}</div>`;
  });
  return `<style>
    body { margin: 12px; background: #8a918d; font: 14px system-ui, sans-serif }
    div { display: flex; gap: 12px; align-items: flex-start }
    h2 { margin: 20px 0 6px; font-size: 16px }
  </style>${rows.join('')}`;
}
