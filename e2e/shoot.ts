import { copyFileSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import type { Theme } from './page-parts.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** All pictures of `npm run shots`; the contact sheets are made of them. */
export const SHOTS = fromRoot('.cache/shots/');
const GUIDE = fromRoot('docs/guide/pictures/');

/** Those that the guide shows. */
const IN_GUIDE = new Set([
  'account-desktop-light',
  'account-phone-light',
  'home-desktop-light',
  'home-phone-light',
  'invoice-desktop-light',
  'invoice-phone-light',
  'landing-desktop-light',
  'lessons-complete-phone-light',
  'login-phone-light',
  'pay-phone-light',
  'reports-desktop-light',
  'reports-phone-light',
  'schedule-desktop-light',
  'schedule-phone-light',
  'settings-phone-dark',
]);

interface Shot {
  screen: string;
  theme: Theme;
  window: 'phone' | 'tablet' | 'desktop';
  /** Also what is below the fold. */
  fullPage?: boolean;
  /** A screen whose answers are held back never comes to rest. */
  atRest?: boolean;
}

export async function shoot(page: Page, shot: Shot): Promise<void> {
  const { screen, theme, window, fullPage = false, atRest = true } = shot;
  const file = `${screen}-${window}-${theme}.png`;
  mkdirSync(SHOTS, { recursive: true });
  // Parts that are fetched later leave a blank until they are there.
  if (atRest) await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: SHOTS + file, fullPage, animations: 'disabled' });
  if (!IN_GUIDE.has(file.slice(0, -'.png'.length))) return;
  mkdirSync(GUIDE, { recursive: true });
  copyFileSync(SHOTS + file, GUIDE + file);
}
