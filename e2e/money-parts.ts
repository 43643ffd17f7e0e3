import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { button } from './lesson-parts.ts';

/* Pieces of the screens about money. */

/** A part of a page under its heading. */
export const sheet = (page: Page, name: string): Locator =>
  page.getByRole('region', { name, exact: true });

export const choice = (inside: Page | Locator, name: string): Locator =>
  inside.getByRole('radio', { name, exact: true });

/** Presses what saves a file, and hands over its name and what is in it. */
export async function download(
  page: Page,
  target: Locator,
): Promise<{ name: string; data: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), target.click()]);
  return { name: file.suggestedFilename(), data: await readFile(await file.path()) };
}

/** The words of a PDF, as a reader would select them. */
export async function wordsOfPdf(data: Buffer): Promise<string> {
  expect(data.subarray(0, 5).toString(), 'the beginning of a PDF').toBe('%PDF-');
  const paper = await getDocument({ data: new Uint8Array(data), verbosity: 0 }).promise;
  const { items } = await (await paper.getPage(1)).getTextContent();
  return items.map((item) => ('str' in item ? item.str : '')).join(' ');
}

/** Presses a Copy and reads what the next paste would bring. */
export async function copied(page: Page, name: string): Promise<string> {
  await button(page, name).click();
  await expect(page.getByText(/^Copied, /)).toHaveCount(1);
  return page.evaluate(() => navigator.clipboard.readText());
}
