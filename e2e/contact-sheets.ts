/** Arranges all screenshots on contact sheets. Runs after `npm run shots`. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import config from './playwright.config.ts';
import { SCREENSHOTS_DIR } from './take-screenshot.ts';

const FOLDER = fileURLToPath(new URL('../docs/guide/contact-sheets/', import.meta.url));
/** Thumbnail size and number of columns on a sheet. */
const SIZES = {
  phone: { width: 150, height: 325, columns: 14 },
  tablet: { width: 210, height: 280, columns: 10 },
  desktop: { width: 256, height: 160, columns: 8 },
};

mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch(config.use?.launchOptions ?? {});
for (const [window, size] of Object.entries(SIZES)) {
  for (const theme of ['light', 'dark']) {
    const suffix = `-${window}-${theme}.png`;
    const files = readdirSync(SCREENSHOTS_DIR)
      .filter((file) => file.endsWith(suffix))
      .toSorted();
    if (files.length === 0) continue;
    const page = await browser.newPage({
      viewport: { width: size.columns * (size.width + 8) + 8, height: 800 },
    });
    // In the same folder as the screenshots, so that the page may load them.
    const sheet = join(SCREENSHOTS_DIR, 'sheet.html');
    writeFileSync(sheet, renderSheet(files, suffix, size));
    await page.goto(pathToFileURL(sheet).href);
    const path = join(FOLDER, `${window}-${theme}.jpg`);
    await page.screenshot({ path, fullPage: true, type: 'jpeg', quality: 72 });
    console.log(`${files.length} screenshots on ${path}`);
    await page.close();
  }
}
await browser.close();

function renderSheet(
  files: string[],
  suffix: string,
  { width, height }: { width: number; height: number },
) {
  const figures = files.map(
    (file) => `<figure><img src="${file}" alt="">
      <figcaption>${file.slice(0, -suffix.length)}</figcaption></figure>`,
  );
  return `<style>
    body { margin: 4px; background: #8a918d; font: 11px system-ui, sans-serif }
    main { display: flex; flex-wrap: wrap }
    figure { margin: 4px; width: ${width}px }
    img { width: ${width}px; height: ${height}px; object-fit: cover; object-position: top; display: block }
    figcaption { height: 16px; overflow: hidden; white-space: nowrap }
  </style><main>${figures.join('')}</main>`;
}
