import type { Locator, Page } from '@playwright/test';
import type { ApiClient } from '../api-client.ts';
import { TODAY } from '../fixed-server-time.ts';
import { expect, test } from '../fixtures.ts';
import { keyboard } from '../journeys/input-driver.ts';
import {
  button,
  dateField,
  detail,
  dialog,
  expectDay,
  link,
  longDate,
  monthCell,
  select,
} from '../page-objects/controls.ts';
import { expectPath, open, pageHeading, toastWithText } from '../page-objects/navigation.ts';

test.use({ fixedClock: true });

const THURSDAY = '2030-03-14';

test('schedule: shows the month, its days and their lessons [SCHED-01, SCHED-05..11, SCHED-17, SCHED-18, SCHED-20, SCHED-22, ROUTE-16]', async ({
  page,
  api,
}) => {
  const first = await seedWeek(api);
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/api\/(lessons|sessions)/.test(pathname)) requests.push(pathname + search);
  });

  await open(page, '/schedule', 'Schedule');
  const calendar = page.getByRole('region', { name: 'Calendar', exact: true });
  const month = (name: string) => calendar.getByRole('heading', { name, exact: true });
  await expect(month('March 2030')).toBeVisible();
  await expect(calendar.getByRole('grid', { name: 'March 2030' })).toBeVisible();
  await button(calendar, 'Previous month').click();
  await expect(month('February 2030')).toBeVisible();
  await button(calendar, 'Next month').click();
  await expectPath(page, '/schedule');
  await button(calendar, 'Next month').click();
  await expect(month('April 2030')).toBeVisible();
  await button(calendar, 'Today').click();
  await expect(month('March 2030')).toBeVisible();
  await expectDay(page, TODAY, 'Today');

  // Choosing a day in the month changes the URL and the heading of the list.
  const cell = monthCell(calendar, THURSDAY);
  await expect(cell).toHaveAccessibleName(/ 3 lessons$/);
  await cell.click();
  await expectPath(page, `/schedule?date=${THURSDAY}`);
  await expect(calendar.getByRole('gridcell', { selected: true })).toContainText('14');
  await expectDay(page, THURSDAY, 'Thursday');
  await expect(page.getByText('Upcoming Lessons', { exact: true })).toBeVisible();
  const list = dayLessons(page);
  await expect(list).toHaveText([
    /15:30–16:15.*Noah Hale - Piano/,
    /16:30–17:30.*Maya Hale - Maths/,
    /18:00–19:00.*Theo Lind - Maths/,
  ]);
  // A recurring lesson is shown on each of its dates.
  for (const day of ['2030-03-21', '2030-03-28']) {
    await monthCell(calendar, day).click();
    await expectDay(page, day, 'Thursday');
    await expect(list).toHaveText([/16:30–17:30.*Maya Hale - Maths/]);
  }
  expect(requests.filter((path) => path.startsWith('/api/lessons'))).toEqual([]);
  expect(requests).toContain('/api/sessions?from=2030-02-25&to=2030-03-31');

  // The day is kept after a reload, in a shared link, and after opening a session and going back
  await page.reload();
  await expectDay(page, '2030-03-28', 'Thursday');
  const shared = await page.context().newPage();
  await open(shared, `/schedule?date=${THURSDAY}`, 'Schedule');
  await expectDay(shared, THURSDAY, 'Thursday');
  await expect(dayLessons(shared)).toHaveCount(3);
  await shared.close();
  await monthCell(calendar, THURSDAY).click();
  await link(page, 'Details, Maya Hale - Maths').click();
  await expectPath(page, `/sessions/${first.sessionId}`);
  await expect(pageHeading(page, 'Session Details')).toBeVisible();
  await page.goBack();
  await expectPath(page, `/schedule?date=${THURSDAY}`);
  await expectDay(page, THURSDAY, 'Thursday');
  await link(page, 'Details, Maya Hale - Maths').click();
  await link(page, 'View lesson').click();
  await expectPath(page, `/lessons/${first.lessonId}?session=${first.sessionId}`);
});

test('schedule: every New Lesson button works, and the other views open [SCHED-02..04, SCHED-12, SCHED-23, SCHED-24, ROUTE-16]', async ({
  page,
  tutor: _signedIn,
}) => {
  await open(page, `/schedule?date=${THURSDAY}`, 'Schedule');
  await expect(page.getByText('No lessons scheduled for this day')).toBeVisible();
  const form = dialog(page, 'Add New Lesson');
  for (const name of ['New Lesson', 'New lesson on this day', 'Add New Lesson']) {
    await button(page, name).click();
    await expect(dateField(form, 'Date')).toHaveValue('Mar 14, 2030');
    await button(form, 'Cancel').click();
    await expect(form).toBeHidden();
  }

  const views = { 'View Students': 'Students', 'View Subjects': 'Subjects' };
  for (const [item, title] of Object.entries(views)) {
    await button(page, 'More views').click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    await expect(pageHeading(page, title)).toBeVisible();
    expect(new URL(page.url()).searchParams.get('view')).toBe(title.toLowerCase());
    await link(page, 'Back to schedule').click();
    await expectDay(page, THURSDAY, 'Thursday');
  }
});

test('schedule: closing a dialog returns the focus to its button', async ({
  page,
  tutor: _signedIn,
}) => {
  for (const name of ['New Lesson', 'New lesson on this day', 'Add New Lesson']) {
    // Reloads the page each time, because the dialog loads when it is first opened.
    await open(page, '/schedule', 'Schedule');
    await button(page, name).click();
    await expect(select(dialog(page, 'Add New Lesson'), 'Student')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog(page, 'Add New Lesson')).toBeHidden();
    await expect.soft(button(page, name)).toBeFocused();
  }
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('schedule: week strip and day list [SCHED-17, SCHED-18, SCHED-20, SCHED-22..24]', async ({
    page,
    api,
  }) => {
    await seedWeek(api);
    await open(page, '/schedule', 'Schedule');
    const week = page.getByRole('group', { name: 'Week', exact: true });
    await expect(week.getByRole('button')).toHaveCount(7);
    await expect(page.getByText('No lessons scheduled for this day')).toBeVisible();
    await button(page, 'Add New Lesson').click();
    const form = dialog(page, 'Add New Lesson');
    await expect(dateField(form, 'Date')).toHaveValue('Mar 12, 2030');
    await button(form, 'Cancel').click();

    await week.getByRole('button', { name: new RegExp(longDate(THURSDAY)) }).click();
    await expectPath(page, `/schedule?date=${THURSDAY}`);
    await expect(dayLessons(page)).toHaveText([
      /15:30–16:15.*Noah Hale - Piano/,
      /16:30–17:30.*Maya Hale - Maths/,
      /18:00–19:00.*Theo Lind - Maths/,
    ]);
    await button(page, 'Next week').click();
    await expectPath(page, '/schedule?date=2030-03-21');
    await expect(dayLessons(page)).toHaveText([/16:30–17:30.*Maya Hale - Maths/]);

    // The month name opens the month view; the choice is remembered.
    await button(page, 'March 2030').click();
    await expect(monthCell(page, THURSDAY)).toBeVisible();
    await page.reload();
    await monthCell(page, THURSDAY).click();
    await link(page, 'Details, Theo Lind - Maths').click();
    await expect(pageHeading(page, 'Session Details')).toBeVisible();
  });
});

test('schedule: week view: adds a lesson in a free slot and moves lessons by menu, keyboard and mouse [ROUTE-16]', async ({
  page,
  api,
}) => {
  await seedWeek(api);
  await open(page, `/schedule?date=${THURSDAY}`, 'Schedule');
  await page.getByRole('radio', { name: 'Week', exact: true }).check();
  await expectWeekView(page);
  await page.reload();
  await expectWeekView(page);
  const lesson = (title: string) => page.getByRole('link', { name: new RegExp(`^${title}`) });
  await expect(lesson('Theo Lind')).toBeVisible();

  // Move a lesson from its menu, using the keyboard
  const input = keyboard(page);
  await input.click(button(page, 'More, Theo Lind - Maths'));
  await input.chooseMenuItem(page.getByRole('menuitem', { name: 'Move…' }));
  const modal = dialog(page, 'Reschedule Session');
  await expect(button(modal, 'Move session')).toBeDisabled();
  await input.pickDate(dateField(modal, 'Date'), '2030-03-15');
  await input.fill(select(modal, 'Start'), '17:15');
  await page.keyboard.press('Tab');
  await expect(select(modal, 'End')).toHaveValue('18:15');
  await expect(modal).toContainText('Thu 18:00 → Fri 17:15');
  await input.click(button(modal, 'Move session'));
  await expect(toastWithText(page, 'Session moved')).toBeVisible();
  await expect(dayColumn(page, '2030-03-15').getByText('Theo Lind')).toBeVisible();
  expect(await lessonTimes(api, 'Theo Lind')).toEqual(['2030-03-15 17:15–18:15']);

  // Drag a lesson with the mouse, one column to the left and 90 minutes earlier, and confirm
  const box = await lesson('Noah Hale').boundingBox();
  const width = (await dayColumn(page, THURSDAY).boundingBox())?.width;
  if (!box || !width) throw new Error('The lesson is not in the week view');
  const [x, y] = [box.x + box.width / 3, box.y + 8];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 20, y - 10);
  await page.mouse.move(x - width, y - 78, { steps: 4 });
  await page.mouse.up();
  await expect(modal).toContainText('Thu 15:30 → Wed 14:00');
  await button(modal, 'Move session').click();
  await expect(dayColumn(page, '2030-03-13').getByText('Noah Hale')).toBeVisible();
  expect(await lessonTimes(api, 'Noah Hale')).toEqual(['2030-03-13 14:00–14:45']);

  // Clicking a free slot sets the day and the half hour
  await dayColumn(page, '2030-03-16').click({ position: { x: 20, y: 52 * 2 + 30 } });
  const form = dialog(page, 'Add New Lesson');
  await expect(dateField(form, 'Date')).toHaveValue('Mar 16, 2030');
  await expect(select(form, 'Start')).toHaveValue('10:30');
  await expect(select(form, 'End')).toHaveValue('11:30');
  await button(form, 'Cancel').click();

  // For a recurring lesson, only this session moves.
  await button(page, 'Next week').click();
  await expectPath(page, '/schedule?date=2030-03-21&board=week');
  await expect(lesson('Maya Hale')).toBeVisible();
  await lesson('Maya Hale').click();
  await expect(detail(page, 'Date')).toHaveText(longDate('2030-03-21'));
  await page.goBack();
  await expectPath(page, '/schedule?date=2030-03-21&board=week');
});

async function seedWeek(api: ApiClient) {
  const maths = await api.addSubject('Maths', 38);
  const piano = await api.addSubject('Piano', 28);
  const theo = await api.addStudent('Theo Lind');
  const maya = await api.addStudent('Maya Hale');
  const noah = await api.addStudent('Noah Hale');
  const thursday = { date: THURSDAY };
  // Added out of order, to check that the list sorts them.
  await api.addLesson({ student: theo, subject: maths, ...thursday, start: '18:00' });
  await api.addLesson({
    student: noah,
    subject: piano,
    ...thursday,
    start: '15:30',
    end: '16:15',
  });
  return api.addLesson({
    student: maya,
    subject: maths,
    ...thursday,
    start: '16:30',
    isRecurring: true,
    recurringEndDate: '2030-04-25',
  });
}

const dayLessons = (page: Page): Locator =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: /^Details, / }) });

async function expectWeekView(page: Page): Promise<void> {
  await expectPath(page, `/schedule?date=${THURSDAY}&board=week`);
  await expect(page.getByRole('radio', { name: 'Week', exact: true })).toBeChecked();
  await expect(page.getByRole('heading', { name: longDate(THURSDAY) })).toBeVisible();
}

const dayColumn = (page: Page, date: string): Locator => page.locator(`[data-column="${date}"]`);

async function lessonTimes(api: ApiClient, student: string): Promise<string[]> {
  const rows = await api.sessions('2030-03-11', '2030-03-17');
  return rows
    .filter(({ studentName, status }) => studentName === student && status === 'scheduled')
    .map(({ date, startTime, endTime }) => `${date} ${startTime}–${endTime}`);
}
