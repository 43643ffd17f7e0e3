import { plusDays } from '@lessonbook/contract/dates';
import { expect, type Locator, type Page } from '@playwright/test';
import type { ApiClient, SavedLesson } from '../api-client.ts';
import type { ConsoleGuard } from '../console-guard.ts';
import { button, detail, dialog, longDate, region } from '../page-objects/controls.ts';
import { answerConsent, openGoogleCalendar } from '../page-objects/google.ts';
import { expectPath, open, toast } from '../page-objects/page.ts';
import type { Tutor } from '../tutor.ts';
import type { InputDriver } from './input-driver.ts';

interface JourneyContext {
  page: Page;
  input: InputDriver;
  api: ApiClient;
  tutor: Tutor;
  consoleGuard: ConsoleGuard;
}

type Google = Awaited<ReturnType<typeof openGoogleCalendar>>;

interface Plan {
  /** The day after tomorrow; all lessons are on this day. */
  day: string;
  maya: SavedLesson;
  leo: SavedLesson;
}

/** Connects a Google calendar, checks the sync and handles changes made in Google. */
export async function walkThroughCalendar(context: JourneyContext): Promise<void> {
  const { page, tutor } = context;
  // Unique to this test, because all tests share the fake Google.
  const user = `${tutor.username}@gmail.example`;
  const plan = await seedLessons(context);
  await connect(context, user);
  const google = await openGoogleCalendar(page, user);
  await page.bringToFront();
  await google.expectEvent('Maya: Maths', `${plan.day} 10:00`);
  await google.expectEvent('Leo: Maths', `${plan.day} 12:00`);
  await moveInGoogle(context, plan, google);
  await deleteInGoogle(context, plan, google);
  await disconnect(context);
  await google.close();
}

async function seedLessons({ api }: JourneyContext): Promise<Plan> {
  const maths = await api.addSubject('Maths', 35);
  const carer = { carerName: 'Ruth Hale', carerEmail: 'ruth@families.example' };
  const maya = await api.addStudent('Maya Hale', carer);
  const leo = await api.addStudent('Leo Hale', carer);
  const day = plusDays((await api.dashboard()).today, 2);
  const lesson = { subject: maths, date: day };
  return {
    day,
    maya: await api.addLesson({ ...lesson, student: maya, start: '10:00' }),
    leo: await api.addLesson({ ...lesson, student: leo, start: '12:00' }),
  };
}

const card = (page: Page): Locator => region(page, 'Google Calendar');

async function connect({ page, input }: JourneyContext, user: string): Promise<void> {
  await open(page, '/settings', 'Settings');
  await expect(region(page, 'Calendar Integration')).toBeVisible();
  await expect(card(page)).toContainText('Not connected');
  await input.click(button(card(page), 'Connect'));
  await answerConsent(page, user, 'Cancel');
  const failure = toast(page, 'Google Calendar Connection Failed');
  await expect(failure).toContainText('Error: access denied');
  await expectPath(page, '/mobile-settings');
  await expect(card(page)).toContainText('Not connected');

  await input.click(button(card(page), 'Connect'));
  await answerConsent(page, user, 'Allow');
  const message =
    'Google Calendar connected successfully! Your lessons will now sync with your calendar.';
  await expect(toast(page, message)).toBeVisible();
  await expectPath(page, '/mobile-settings');
  await expect(card(page).getByText('Connected', { exact: true })).toBeVisible();
  await expect(button(card(page), 'Connect')).toBeDisabled();
  // The sync runs in the background, and its result appears without a reload.
  await expect(card(page)).toContainText('Last sync');
}

/** Moves a lesson in Google so that it overlaps another one. Accepting the move requires the tutor to confirm the overlap. */
async function moveInGoogle(
  { page, input, api, consoleGuard }: JourneyContext,
  plan: Plan,
  google: Google,
): Promise<void> {
  const { day, maya } = plan;
  await google.move('Maya: Maths', `${day} 12:30`);
  await page.bringToFront();
  // The badge appears without a reload
  await expect(page.getByRole('link', { name: /unread/ })).toBeVisible();
  await open(page, '/notifications', 'Notifications');
  await input.click(region(page, 'Needs you').getByRole('link', { name: /Maya/ }));
  await expectPath(page, `/sessions/${maya.sessionId}`);
  const notice = region(page, 'Changed in Google');
  await expect(notice).toContainText(/Moved in Google to .*, 12:30–13:30/);
  expect((await api.session(maya.sessionId)).startTime).toBe('10:00');
  consoleGuard.allowErrorResponse('/api/calendar/proposals/1/accept', 409);
  await input.click(button(notice, 'Accept'));
  await expect(dialog(page, 'This overlaps')).toContainText('Leo Hale - Maths');
  await input.click(button(dialog(page, 'This overlaps'), 'Move anyway'));
  await expect(toast(page, 'Session moved')).toBeVisible();
  await input.click(button(dialog(page, 'Tell the family?'), 'Not now'));
  await expect(detail(page, 'Date')).toHaveText(longDate(day));
  await expect(detail(page, 'Time')).toHaveText('12:30 PM – 1:30 PM');
  await expect(notice).toHaveCount(0);
  await google.expectEvent('Maya: Maths', `${day} 12:30`);
}

async function deleteInGoogle(
  { page, input, api }: JourneyContext,
  plan: Plan,
  google: Google,
): Promise<void> {
  const { day, leo } = plan;
  await open(page, '/settings', 'Settings');
  await google.remove('Leo: Maths');
  await page.bringToFront();
  await expect(card(page)).toContainText('1 change in Google waits for you');
  await input.click(card(page).getByRole('link', { name: /^Leo Hale, .* Deleted$/ }));
  const notice = region(page, 'Changed in Google');
  await expect(notice).toContainText('Deleted in Google');
  await input.click(button(notice, 'Put back'));
  await expect(toast(page, 'Put back')).toBeVisible();
  await expect(notice).toHaveCount(0);
  expect((await api.session(leo.sessionId)).status).toBe('scheduled');
  await google.expectEvent('Leo: Maths', `${day} 12:00`);
}

async function disconnect({ page, input }: JourneyContext): Promise<void> {
  await page.bringToFront();
  await open(page, '/settings', 'Settings');
  await input.click(button(card(page), 'Disconnect'));
  const question = dialog(page, 'Disconnect Google Calendar?');
  await expect(question).toContainText('The lessons already in Google stay there');
  await input.click(button(question, 'Disconnect'));
  await expect(toast(page, 'Google Calendar disconnected')).toBeVisible();
  await expect(card(page)).toContainText('Not connected');
  await expect(button(card(page), 'Connect')).toBeEnabled();
}
