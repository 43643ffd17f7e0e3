import { addDaysToDate } from '@lessonbook/contract/dates';
import { expect, type Locator, type Page } from '@playwright/test';
import type { ApiClient, SavedLesson } from '../api-client.ts';
import type { ConsoleGuard } from '../console-guard.ts';
import { button, dialog, region, textField } from '../page-objects/controls.ts';
import { answerConsent, openGoogleCalendar } from '../page-objects/google.ts';
import { expectPath, open, toastWithText } from '../page-objects/navigation.ts';
import {
  chooseLessonAction,
  lessonSummary,
  openSessionPage,
} from '../page-objects/session-page.ts';
import type { Tutor } from '../sign-up-tutor.ts';
import type { InputDriver } from './input-driver.ts';

interface JourneyContext {
  page: Page;
  input: InputDriver;
  api: ApiClient;
  tutor: Tutor;
  consoleGuard: ConsoleGuard;
}

type GoogleCalendar = Awaited<ReturnType<typeof openGoogleCalendar>>;

interface SeededLessons {
  /** The day after tomorrow; all lessons are on this day. */
  day: string;
  maya: SavedLesson;
  leo: SavedLesson;
}

/** Connects a Google calendar, checks the sync and handles changes made in Google. */
export async function walkThroughCalendar(context: JourneyContext): Promise<void> {
  const { page, tutor } = context;
  // Unique to this test, because all tests share the Google fake.
  const user = `${tutor.username}@gmail.example`;
  const seeded = await seedLessons(context);
  await connect(context, user);
  const google = await openGoogleCalendar(page, user);
  await page.bringToFront();
  await google.expectEvent('Maya: Maths', `${seeded.day} 10:00`);
  await google.expectEvent('Leo: Maths', `${seeded.day} 12:00`);
  await moveInGoogle(context, seeded, google);
  await deleteInGoogle(context, seeded, google);
  await chooseGoogleMeet(context, seeded, google);
  await disconnect(context);
  await google.close();
}

async function seedLessons({ api }: JourneyContext): Promise<SeededLessons> {
  const maths = await api.addSubject('Maths', 35);
  const carer = { carerName: 'Ruth Hale', carerEmail: 'ruth@families.example' };
  const maya = await api.addStudent('Maya Hale', carer);
  const leo = await api.addStudent('Leo Hale', carer);
  const day = addDaysToDate((await api.dashboard()).today, 2);
  const lesson = { subject: maths, date: day };
  return {
    day,
    maya: await api.addLesson({ ...lesson, student: maya, start: '10:00' }),
    leo: await api.addLesson({ ...lesson, student: leo, start: '12:00' }),
  };
}

const calendarCard = (page: Page): Locator => region(page, 'Google Calendar');

async function connect({ page, input }: JourneyContext, user: string): Promise<void> {
  await open(page, '/settings', 'Settings');
  await expect(region(page, 'Calendar Integration')).toBeVisible();
  await expect(calendarCard(page)).toContainText('Not connected');
  await input.click(button(calendarCard(page), 'Connect'));
  await answerConsent(page, user, 'Cancel');
  const failure = toastWithText(page, 'Google Calendar Connection Failed');
  await expect(failure).toContainText('Error: access denied');
  await expectPath(page, '/mobile-settings');
  await expect(calendarCard(page)).toContainText('Not connected');

  await input.click(button(calendarCard(page), 'Connect'));
  await answerConsent(page, user, 'Allow');
  const message =
    'Google Calendar connected successfully! Your lessons will now sync with your calendar.';
  await expect(toastWithText(page, message)).toBeVisible();
  await expectPath(page, '/mobile-settings');
  await expect(calendarCard(page).getByText('Connected', { exact: true })).toBeVisible();
  await expect(button(calendarCard(page), 'Connect')).toBeDisabled();
  // The sync runs in the background, and its result appears without a reload.
  await expect(calendarCard(page)).toContainText('Last sync');
}

/** Moves a lesson in Google so that it overlaps another one. To accept the move, the tutor has to confirm the overlap. */
async function moveInGoogle(
  { page, input, api, consoleGuard }: JourneyContext,
  seeded: SeededLessons,
  google: GoogleCalendar,
): Promise<void> {
  const { day, maya } = seeded;
  await google.move('Maya: Maths', `${day} 12:30`);
  await page.bringToFront();
  // The badge appears without a reload
  await expect(page.getByRole('link', { name: /unread/ })).toBeVisible();
  await open(page, '/notifications', 'Notifications');
  await input.click(region(page, 'To do').getByRole('link', { name: /Maya/ }));
  await expectPath(page, `/sessions/${maya.sessionId}`);
  const notice = region(page, 'Changed in Google');
  await expect(notice).toContainText(/Moved in Google to .*, 12:30–13:30/);
  expect((await api.session(maya.sessionId)).startTime).toBe('10:00');
  consoleGuard.allowErrorResponse('/api/calendar/external-changes/1/accept', 409);
  await input.click(button(notice, 'Accept'));
  await expect(dialog(page, 'This lesson overlaps another')).toContainText('Leo Hale - Maths');
  await input.click(button(dialog(page, 'This lesson overlaps another'), 'Move anyway'));
  await expect(toastWithText(page, 'Lesson moved')).toBeVisible();
  await input.click(button(page.getByRole('dialog', { name: /^Let .+ know\?$/ }), 'Not now'));
  await expect(lessonSummary(page)).toContainText('12:30pm to 1:30pm');
  await expect(notice).toHaveCount(0);
  await google.expectEvent('Maya: Maths', `${day} 12:30`);
}

async function deleteInGoogle(
  { page, input, api }: JourneyContext,
  seeded: SeededLessons,
  google: GoogleCalendar,
): Promise<void> {
  const { day, leo } = seeded;
  await open(page, '/settings', 'Settings');
  await google.remove('Leo: Maths');
  await page.bringToFront();
  await expect(calendarCard(page)).toContainText('1 change in Google to review');
  await input.click(calendarCard(page).getByRole('link', { name: /^Leo Hale, .* Deleted$/ }));
  const notice = region(page, 'Changed in Google');
  await expect(notice).toContainText('Deleted in Google');
  await input.click(button(notice, 'Undo change'));
  await expect(toastWithText(page, 'Change undone')).toBeVisible();
  await expect(notice).toHaveCount(0);
  expect((await api.session(leo.sessionId)).status).toBe('scheduled');
  await google.expectEvent('Leo: Maths', `${day} 12:00`);
}

/** The link appears on the lesson's page without a reload, and stays when the calendar is disconnected. */
async function chooseGoogleMeet(
  { page, input, api }: JourneyContext,
  { leo }: SeededLessons,
  google: GoogleCalendar,
): Promise<void> {
  await page.bringToFront();
  await openSessionPage(page, leo.sessionId);
  const form = await chooseLessonAction(page, 'Edit lesson', 'Edit Lesson');
  await input.check(form.getByLabel('Use Google Meet'));
  await expect(textField(form, 'Location')).toHaveValue('Google Meet');
  await input.click(button(form, 'Save Lesson'));
  const link = page.getByRole('link', { name: /^meet\.google\.com\// });
  await expect(link).toBeVisible();
  const { place } = await api.session(leo.sessionId);
  expect(await link.getAttribute('href')).toBe(place);
  const code = place?.replace('https://meet.google.com/', '');
  await google.expectEvent('Leo: Maths', `Google Meet: ${code}`);
}

async function disconnect({ page, input }: JourneyContext): Promise<void> {
  await page.bringToFront();
  await open(page, '/settings', 'Settings');
  await input.click(button(calendarCard(page), 'Disconnect'));
  const confirmDialog = dialog(page, 'Disconnect Google Calendar?');
  await expect(confirmDialog).toContainText('Lessons already in Google stay there');
  await input.click(button(confirmDialog, 'Disconnect'));
  await expect(toastWithText(page, 'Google Calendar disconnected')).toBeVisible();
  await expect(calendarCard(page)).toContainText('Not connected');
  await expect(button(calendarCard(page), 'Connect')).toBeEnabled();
}
