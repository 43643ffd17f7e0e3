import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';

const shared = fileURLToPath(new URL('../apps/web/public/', import.meta.url));

/* A phone cuts its own shape out of a maskable icon and of Apple's: paper to the edge, the tick inside the safe circle. */
const icons = [
  { file: 'icon-192', size: 192, whole: false },
  { file: 'icon-512', size: 512, whole: false },
  { file: 'maskable-512', size: 512, whole: true },
  { file: 'apple-touch-icon', size: 180, whole: true },
];

/** `npm run shots` also draws the icons of the installed app, from the one logo that is kept as text. */
test('the icons of the installed app @shots', async ({ page }, info) => {
  test.skip(info.project.name !== 'desktop', 'drawn once');
  const logo = readFileSync(`${shared}icon.svg`, 'utf8');
  for (const { file, size, whole } of icons) {
    const svg = whole
      ? logo
          .replace('rx="10" ', '')
          .replace('<path ', '<path transform="translate(4 4) scale(.75)" ')
      : logo;
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(
      `<style>*{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`,
    );
    const picture = await page.screenshot({ omitBackground: true });
    expect(picture.length).toBeGreaterThan(500);
    writeFileSync(`${shared}icons/${file}.png`, picture);
  }
});
