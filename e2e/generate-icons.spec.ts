import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const publicDir = fileURLToPath(new URL('../apps/web/public/', import.meta.url));

/* Phones crop maskable and Apple icons, so the background reaches the edge and the tick stays inside the safe circle. */
const icons = [
  { file: 'icon-192', size: 192, isCropped: false },
  { file: 'icon-512', size: 512, isCropped: false },
  { file: 'maskable-512', size: 512, isCropped: true },
  { file: 'apple-touch-icon', size: 180, isCropped: true },
];

/** `npm run shots` also renders the icons for the installed app from the SVG logo. */
test('renders the icons for the installed app @shots', async ({ page }, info) => {
  test.skip(info.project.name !== 'desktop', 'rendered once');
  const logo = readFileSync(`${publicDir}icon.svg`, 'utf8');
  for (const { file, size, isCropped } of icons) {
    const svg = isCropped
      ? logo
          .replace('rx="10" ', '')
          .replace('<path ', '<path transform="translate(4 4) scale(.75)" ')
      : logo;
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(
      `<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`,
    );
    const screenshot = await page.screenshot({ omitBackground: true });
    expect(screenshot.length).toBeGreaterThan(500);
    writeFileSync(`${publicDir}icons/${file}.png`, screenshot);
  }
});
