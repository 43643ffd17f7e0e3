import { formatTime12 } from '@lessonbook/contract/format-time';
import { expect, type Locator, type Page } from '@playwright/test';
import { button, dialog } from './controls.ts';
import { expectLoaded } from './navigation.ts';

/** The status badge, for example 'Scheduled'. */
export const lessonStatus = (page: Page): Locator => page.locator('main header [data-status]');

/** Day, time, subject and status below the title. */
export const lessonSummary = (page: Page): Locator => page.locator('main header h1 + p');

/** Waits until a session's page is loaded. */
export async function expectLessonPage(page: Page): Promise<void> {
  await expect(lessonStatus(page)).toBeVisible();
  await expectLoaded(page);
}

export async function openSessionPage(page: Page, sessionId: number | null): Promise<void> {
  await page.goto(`/sessions/${sessionId}`);
  await expectLessonPage(page);
}

/** Opens a dialog from the page's menu. */
export async function chooseLessonAction(
  page: Page,
  item: string,
  dialogTitle: string,
): Promise<Locator> {
  await button(page, 'More actions').click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
  await expect(dialog(page, dialogTitle)).toBeVisible();
  return dialog(page, dialogTitle);
}

interface LessonTime {
  studentName: string;
  startTime: string;
  endTime: string;
}

/** The heading of a lesson's page: 'Maya Hale, 4pm to 5:30pm'. */
export const lessonTitle = ({ studentName, startTime, endTime }: LessonTime): string =>
  `${studentName}, ${formatTime12(startTime)} to ${formatTime12(endTime)}`;
