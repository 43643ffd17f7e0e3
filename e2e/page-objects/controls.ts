import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A labelled section of a page. */
export const region = (page: Page, name: string): Locator =>
  page.getByRole('region', { name, exact: true });

/** The content of the selected tab. */
export const tabPanel = (page: Page, name: string): Locator =>
  page.getByRole('tabpanel', { name, exact: true });

export const radio = (inside: Page | Locator, name: string): Locator =>
  inside.getByRole('radio', { name, exact: true });

/** Clicks a download button or link and returns the file's name and contents. */
export async function download(
  page: Page,
  target: Locator,
): Promise<{ name: string; data: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), target.click()]);
  return { name: file.suggestedFilename(), data: await readFile(await file.path()) };
}

/** The text of the first page of a PDF. */
export async function readPdfText(data: Buffer): Promise<string> {
  expect(data.subarray(0, 5).toString(), 'the first bytes of the PDF').toBe('%PDF-');
  const document = await getDocument({ data: new Uint8Array(data), verbosity: 0 }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  return items.map((item) => ('str' in item ? item.str : '')).join(' ');
}

/** Clicks a copy button and reads the clipboard. */
export async function copyAndReadClipboard(page: Page, name: string): Promise<string> {
  await button(page, name).click();
  await expect(page.getByText(/^Copied, /)).toHaveCount(1);
  return page.evaluate(() => navigator.clipboard.readText());
}

export const dialog = (page: Page, name: string): Locator =>
  page.getByRole('dialog', { name, exact: true });

export const textField = (inside: Page | Locator, name: string): Locator =>
  inside.getByRole('textbox', { name, exact: true });

/** A select or combobox; time fields are comboboxes too. */
export const select = (inside: Page | Locator, name: string): Locator =>
  inside.getByRole('combobox', { name, exact: true });

export const button = (inside: Page | Locator, name: string): Locator =>
  inside.getByRole('button', { name, exact: true });

export const link = (inside: Page | Locator, name: string): Locator =>
  inside.getByRole('link', { name, exact: true });

/** A date field, which contains the button that opens its calendar. */
export const dateField = (inside: Page | Locator, name: string): Locator =>
  inside.getByRole('textbox', { name, exact: true });

export const calendarButton = (field: Locator): Locator =>
  field.locator('..').getByRole('button', { name: /^Calendar for / });

/** The value next to a term in a description list. */
export const detail = (page: Page, name: string): Locator =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }).and(page.locator('dt')) })
    .locator('dd');

/** Chooses an option and returns all options. */
export async function chooseOption(page: Page, from: Locator, option: string): Promise<string[]> {
  await from.click();
  const options = page.getByRole('option');
  await expect(options.first()).toBeVisible();
  const texts = await options.allInnerTexts();
  await page.getByRole('option', { name: option, exact: true }).click();
  return texts;
}

/** The element to click for a checkbox: its label if it has one, because the label covers the input. */
export async function checkboxClickTarget(box: Locator): Promise<Locator> {
  const label = box.page().locator(`label[for="${await box.getAttribute('id')}"]`);
  return (await label.count()) === 0 ? box : label;
}

export async function setChecked(box: Locator, checked = true): Promise<void> {
  await expect(box).toBeChecked({ checked: !checked });
  await (await checkboxClickTarget(box)).click();
  await expect(box).toBeChecked({ checked });
}

/** Sets a time field, which is parsed on blur. */
export async function setTime(inside: Locator, name: string, time: string): Promise<void> {
  await select(inside, name).fill(time);
  await select(inside, name).blur();
  await expect(select(inside, name)).toHaveValue(time);
}

/* Dates: `yyyy-MM-dd`, and the formats shown on screen */

const parseDateMs = (date: string): number =>
  Date.parse(/^\d{4}-/.test(date) ? date : `${date} UTC`);

const dateFormatter = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
  return (date: string) => format.format(parseDateMs(date));
};

const dayOfMonth = (date: string): number => Number(date.slice(8));
const month = dateFormatter({ month: 'long' });
const weekday = dateFormatter({ weekday: 'long' });

/** For example 'March 2030'. */
export const monthYear = (date: string): string => `${month(date)} ${date.slice(0, 4)}`;

/** For example '12 March'. */
const dayAndMonth = (date: string): string => `${dayOfMonth(date)} ${month(date)}`;

/** For example 'Tuesday 12 March 2030'. */
export const longDate = (date: string): string =>
  `${weekday(date)} ${dayOfMonth(date)} ${monthYear(date)}`;

/** Months since year 0; also accepts 'March 2030'. */
export function monthIndex(date: string): number {
  const day = new Date(parseDateMs(/\d-/.test(date) ? date : `1 ${date}`));
  return day.getUTCFullYear() * 12 + day.getUTCMonth();
}

/** Accepts '12 March 2030' and '2030-03-12'. */
export const daysBetween = (from: string, to: string): number =>
  (parseDateMs(to) - parseDateMs(from)) / 86_400_000;

/** The month shown in the date picker. */
export const pickerMonth = (page: Page): Locator =>
  page.locator('[data-dates-dropdown]').getByRole('button', { name: /^[A-Z]\w+ \d{4}$/ });

/** A day in the date picker. */
export const pickerDay = (page: Page, date: string): Locator =>
  page
    .locator('[data-dates-dropdown]')
    .getByRole('button', { name: `${dayOfMonth(date)} ${monthYear(date)}`, exact: true });

/** A day in the month view; its accessible name ends with the number of lessons on that day. */
export const monthCell = (inside: Page | Locator, date: string): Locator =>
  inside.getByRole('button', { name: new RegExp(`^${dayOfMonth(date)}\\b.*${longDate(date)},`) });

/** Checks the heading for a day and the text below it. */
export async function expectDay(page: Page, date: string, below: string): Promise<void> {
  await expect(page.getByRole('heading', { name: dayAndMonth(date), exact: true })).toBeVisible();
  await expect(
    page.getByRole('paragraph').filter({ hasText: exactTextPattern(below) }),
  ).toBeVisible();
}

const exactTextPattern = (text: string): RegExp => new RegExp(`^${text}$`);

/** A list row with this text. */
export const row = (inside: Page | Locator, title: string): Locator =>
  inside.getByRole('listitem').filter({ hasText: title });
