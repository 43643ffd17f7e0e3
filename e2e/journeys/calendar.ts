import { plusDays } from '@lessonbook/contract/dates';
import { expect, type Locator, type Page } from '@playwright/test';
import type { Book, Saved } from '../book.ts';
import { answerConsent, openGoogle } from '../google-calendar-parts.ts';
import { button, dialog, fact, longDate } from '../lesson-parts.ts';
import { sheet } from '../money-parts.ts';
import { expectPath, open, toast } from '../page-parts.ts';
import type { Tutor } from '../tutor.ts';
import type { Watch } from '../watch.ts';
import type { Hands } from './hands.ts';

interface Desk {
  page: Page;
  hands: Hands;
  book: Book;
  tutor: Tutor;
  watch: Watch;
}

type Google = Awaited<ReturnType<typeof openGoogle>>;

interface Plan {
  /** All lessons are on the next day but one. */
  day: string;
  maya: Saved;
  leo: Saved;
}

/** From no calendar to one that is kept in step, and is asked about what is done in it. */
export async function walkThroughCalendar(desk: Desk): Promise<void> {
  const { page, tutor } = desk;
  // Of this test alone: Google is shared.
  const user = `${tutor.username}@gmail.example`;
  const plan = await fillBook(desk);
  await connect(desk, user);
  const google = await openGoogle(page, user);
  await page.bringToFront();
  await google.expectEvent('Maya: Maths', `${plan.day} 10:00`);
  await google.expectEvent('Leo: Maths', `${plan.day} 12:00`);
  await moveThere(desk, plan, google);
  await deleteThere(desk, plan, google);
  await disconnect(desk);
  await google.close();
}

async function fillBook({ book }: Desk): Promise<Plan> {
  const maths = await book.addSubject('Maths', 35);
  const carer = { carerName: 'Ruth Hale', carerEmail: 'ruth@families.example' };
  const maya = await book.addStudent('Maya Hale', carer);
  const leo = await book.addStudent('Leo Hale', carer);
  const day = plusDays((await book.dashboard()).today, 2);
  const lesson = { subject: maths, date: day };
  return {
    day,
    maya: await book.addLesson({ ...lesson, student: maya, start: '10:00' }),
    leo: await book.addLesson({ ...lesson, student: leo, start: '12:00' }),
  };
}

const card = (page: Page): Locator => sheet(page, 'Google Calendar');

async function connect({ page, hands }: Desk, user: string): Promise<void> {
  await open(page, '/settings', 'Settings');
  await expect(sheet(page, 'Calendar Integration')).toBeVisible();
  await expect(card(page)).toContainText('Not connected');
  await hands.press(button(card(page), 'Connect'));
  await answerConsent(page, user, 'Cancel');
  const failure = toast(page, 'Google Calendar Connection Failed');
  await expect(failure).toContainText('Error: access denied');
  await expectPath(page, '/mobile-settings');
  await expect(card(page)).toContainText('Not connected');

  await hands.press(button(card(page), 'Connect'));
  await answerConsent(page, user, 'Allow');
  const words =
    'Google Calendar connected successfully! Your lessons will now sync with your calendar.';
  await expect(toast(page, words)).toBeVisible();
  await expectPath(page, '/mobile-settings');
  await expect(card(page).getByText('Connected', { exact: true })).toBeVisible();
  await expect(button(card(page), 'Connect')).toBeDisabled();
  // Filled in the background, and nobody has reloaded the page.
  await expect(card(page)).toContainText('Last sync');
}

/** Two lessons at once is asked about here too; then it is a move like any other. */
async function moveThere(
  { page, hands, book, watch }: Desk,
  plan: Plan,
  google: Google,
): Promise<void> {
  const { day, maya } = plan;
  await google.move('Maya: Maths', `${day} 12:30`);
  await page.bringToFront();
  // By itself
  await expect(page.getByRole('link', { name: /unread/ })).toBeVisible();
  await open(page, '/notifications', 'Notifications');
  await hands.press(sheet(page, 'Needs you').getByRole('link', { name: /Maya/ }));
  await expectPath(page, `/sessions/${maya.sessionId}`);
  const notice = sheet(page, 'Changed in Google');
  await expect(notice).toContainText(/Moved in Google to .*, 12:30–13:30/);
  expect((await book.session(maya.sessionId)).startTime).toBe('10:00');
  watch.expectRefusal('/api/calendar/proposals/1/accept', 409);
  await hands.press(button(notice, 'Accept'));
  await expect(dialog(page, 'This overlaps')).toContainText('Leo Hale - Maths');
  await hands.press(button(dialog(page, 'This overlaps'), 'Move anyway'));
  await expect(toast(page, 'Session moved')).toBeVisible();
  await hands.press(button(dialog(page, 'Tell the family?'), 'Not now'));
  await expect(fact(page, 'Date')).toHaveText(longDate(day));
  await expect(fact(page, 'Time')).toHaveText('12:30 PM – 1:30 PM');
  await expect(notice).toHaveCount(0);
  await google.expectEvent('Maya: Maths', `${day} 12:30`);
}

async function deleteThere({ page, hands, book }: Desk, plan: Plan, google: Google): Promise<void> {
  const { day, leo } = plan;
  await open(page, '/settings', 'Settings');
  await google.remove('Leo: Maths');
  await page.bringToFront();
  await expect(card(page)).toContainText('1 change in Google waits for you');
  await hands.press(card(page).getByRole('link', { name: /^Leo Hale, .* Deleted$/ }));
  const notice = sheet(page, 'Changed in Google');
  await expect(notice).toContainText('Deleted in Google');
  await hands.press(button(notice, 'Put back'));
  await expect(toast(page, 'Put back')).toBeVisible();
  await expect(notice).toHaveCount(0);
  expect((await book.session(leo.sessionId)).status).toBe('scheduled');
  await google.expectEvent('Leo: Maths', `${day} 12:00`);
}

async function disconnect({ page, hands }: Desk): Promise<void> {
  await page.bringToFront();
  await open(page, '/settings', 'Settings');
  await hands.press(button(card(page), 'Disconnect'));
  const question = dialog(page, 'Disconnect Google Calendar?');
  await expect(question).toContainText('The lessons already in Google stay there');
  await hands.press(button(question, 'Disconnect'));
  await expect(toast(page, 'Google Calendar disconnected')).toBeVisible();
  await expect(card(page)).toContainText('Not connected');
  await expect(button(card(page), 'Connect')).toBeEnabled();
}
