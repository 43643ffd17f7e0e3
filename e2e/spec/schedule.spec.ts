import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Locator, Page } from '@playwright/test';
import type { ApiClient } from '../api-client.ts';
import { TODAY } from '../fixed-server-time.ts';
import { expect, test } from '../fixtures.ts';
import { keyboard } from '../journeys/input-driver.ts';
import {
  button,
  dateField,
  dialog,
  expectDay,
  link,
  longDate,
  monthCell,
  select,
  setChecked,
} from '../page-objects/controls.ts';
import { expectPath, open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { expectLessonPage, lessonSummary } from '../page-objects/session-page.ts';

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
  await expectLessonPage(page);
  await page.goBack();
  await expectPath(page, `/schedule?date=${THURSDAY}`);
  await expectDay(page, THURSDAY, 'Thursday');
  await link(page, 'Details, Maya Hale - Maths').click();
  await expectPath(page, `/sessions/${first.sessionId}`);
  await button(page, 'Back').click();
  await expectPath(page, `/schedule?date=${THURSDAY}`);
});

test('schedule: every New Lesson button opens the dialog for the selected day, and the other views open [SCHED-02..04, SCHED-12, SCHED-23, SCHED-24, ROUTE-16]', async ({
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

test('schedule: closing a dialog returns focus to its button', async ({
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

  test('schedule: shows the week strip and the day list [SCHED-17, SCHED-18, SCHED-20, SCHED-22..24]', async ({
    page,
    api,
  }) => {
    await seedWeek(api);
    await open(page, '/schedule', 'Schedule');
    const week = page.getByRole('group', { name: 'Week', exact: true });
    await expect(week.getByRole('button')).toHaveCount(7);
    await expect(page.getByText('No lessons scheduled for this day')).toBeVisible();
    // F119 the rest of the week is listed below the day.
    const agenda = page.getByRole('region', { name: 'Later this week', exact: true });
    await expect(agenda.getByRole('listitem')).toHaveCount(3);
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
    await expectLessonPage(page);
  });
});

test('schedule: F139 F140 week view: adds, moves and resizes lessons by popover, keyboard and mouse [ROUTE-16]', async ({
  page,
  api,
}) => {
  await seedWeek(api);
  await open(page, `/schedule?date=${THURSDAY}`, 'Schedule');
  await page.getByRole('radio', { name: 'Week', exact: true }).check();
  await expectWeekView(page);
  await page.reload();
  await expectWeekView(page);
  await expect(page.getByText('3 lessons, £104')).toBeVisible();

  // Move a lesson from its popover, using the keyboard: the week is one tab stop, and arrows lead to the lesson
  const input = keyboard(page);
  await weekEvent(page, 'Noah Hale').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(weekEvent(page, 'Theo Lind')).toBeFocused();
  await page.keyboard.press('Enter');
  await input.click(button(dialog(page, 'Theo Lind - Maths'), 'Move'));
  const modal = dialog(page, 'Move lesson');
  await expect(button(modal, 'Move lesson')).toBeDisabled();
  await input.pickDate(dateField(modal, 'Date'), '2030-03-15');
  await input.fill(select(modal, 'Start'), '17:15');
  await page.keyboard.press('Tab');
  await expect(select(modal, 'End')).toHaveValue('18:15');
  await expect(modal).toContainText('Thu 18:00 → Fri 17:15');
  await input.click(button(modal, 'Move lesson'));
  await expect(toastWithText(page, 'Lesson moved')).toBeVisible();
  await expect(dayColumn(page, '2030-03-15').getByText('Theo Lind')).toBeVisible();
  expect(await lessonTimes(api, 'Theo Lind')).toEqual(['2030-03-15 17:15–18:15']);

  // Drag a lesson with the mouse, one column to the left and 90 minutes earlier, and confirm
  const width = (await dayColumn(page, THURSDAY).boundingBox())?.width ?? 0;
  await drag(page, weekEvent(page, 'Noah Hale'), { dx: -width, dy: -78 });
  await expect(modal).toContainText('Thu 15:30 → Wed 14:00');
  await button(modal, 'Move lesson').click();
  await expect(dayColumn(page, '2030-03-13').getByText('Noah Hale')).toBeVisible();
  expect(await lessonTimes(api, 'Noah Hale')).toEqual(['2030-03-13 14:00–14:45']);

  // Drag its lower edge half an hour down
  await drag(page, weekEvent(page, 'Noah Hale'), { dx: 0, dy: 26, fromBottom: true });
  await expect(select(modal, 'End')).toHaveValue('15:15');
  await button(modal, 'Move lesson').click();
  await expect.poll(() => lessonTimes(api, 'Noah Hale')).toEqual(['2030-03-13 14:00–15:15']);

  // Clicking a free slot sets the day and the half hour; dragging over free time also sets the length
  const saturday = dayColumn(page, '2030-03-16');
  await saturday.click({ position: { x: 20, y: 52 * 2 + 30 } });
  const form = dialog(page, 'Add New Lesson');
  await expect(dateField(form, 'Date')).toHaveValue('Mar 16, 2030');
  await expect(select(form, 'Start')).toHaveValue('10:30');
  await expect(select(form, 'End')).toHaveValue('11:30');
  await button(form, 'Cancel').click();
  await expect(form).toBeHidden();
  await drag(page, saturday, { dx: 0, dy: 78, fromTop: 52 * 2 + 2 });
  await expect(select(form, 'Start')).toHaveValue('10:00');
  await expect(select(form, 'End')).toHaveValue('11:45');
  await button(form, 'Cancel').click();
  await expect(form).toBeHidden();

  // A recurring lesson asks which lessons move; the move of a series can be undone
  await button(page, 'Next week').click();
  await expectPath(page, '/schedule?date=2030-03-21&board=week');
  await drag(page, weekEvent(page, 'Maya Hale'), { dx: 0, dy: 52 });
  const scope = dialog(page, 'Which lessons do you want to change?');
  await expect(scope.getByRole('radio', { name: /^Only this lesson/ })).toBeChecked();
  await scope.getByRole('radio', { name: /^This and following/ }).check();
  await button(scope, 'Move 6 lessons').click();
  await expect(toastWithText(page, '6 lessons moved.')).toBeVisible();
  expect(await lessonTimes(api, 'Maya Hale', '2030-03-28')).toEqual(['2030-03-28 17:30–18:30']);
  await button(toastWithText(page, '6 lessons moved.'), 'Undo').click();
  await expect(toastWithText(page, 'Lessons moved back')).toBeVisible();
  expect(await lessonTimes(api, 'Maya Hale', '2030-03-28')).toEqual(['2030-03-28 16:30–17:30']);

  await weekEvent(page, 'Maya Hale').click();
  await link(dialog(page, 'Maya Hale - Maths'), 'View lesson').click();
  await expect(lessonSummary(page)).toContainText(longDate('2030-03-21'));
  await page.goBack();
  await expectPath(page, '/schedule?date=2030-03-21&board=week');
});

test('schedule: F64 F132 time off is shaded with its reason, and a new weekly lesson skips it', async ({
  page,
  api,
}) => {
  const { first } = await seedTimeOff(api);
  await open(page, `/schedule?date=${first}`, 'Schedule');
  await expect(monthCell(page, first)).toHaveAccessibleName(/time off: Spring break$/);
  await expect(page.getByRole('list', { name: 'Time off' })).toContainText('Spring breakAll day');
  await page.getByRole('radio', { name: 'Week', exact: true }).check();
  await expect(dayColumn(page, first).getByText('Spring break')).toBeVisible();

  // A lesson during the time off is saved only after a confirmation.
  await dayColumn(page, first).click({ position: { x: 20, y: 300 } });
  const form = dialog(page, 'Add New Lesson');
  await select(form, 'Student').fill('Maya');
  await page.getByRole('option', { name: 'Maya Hale' }).click();
  await select(form, 'Subject').fill('Maths');
  await page.getByRole('option', { name: 'Maths' }).click();
  await button(form, 'Save Lesson').click();
  const question = dialog(page, 'You have time off then');
  await expect(question).toContainText('Spring break');
  await button(question, 'Go back').click();
  await setChecked(form.getByRole('checkbox', { name: 'Recurring Lesson', exact: true }));
  await expect(form).toContainText('Skips your time off');
  await button(form, 'Save Lesson').click();
  await expect(toastWithText(page, 'Lesson created successfully')).toBeVisible();
  const [session] = await api.sessions(first, first);
  expect(session?.status).toBe('cancelled');
});

test.describe('on a tablet', () => {
  test.use({ viewport: { width: 820, height: 1180 } });

  test('schedule: F139 shows the week, and remembers the month', async ({ page, api }) => {
    await seedWeek(api);
    await open(page, '/schedule', 'Schedule');
    await expect(weekEvent(page, 'Maya Hale')).toBeVisible();
    await page.getByRole('radio', { name: 'Month', exact: true }).check();
    await expectPath(page, '/schedule?board=month');
    await expect(page.getByRole('link', { name: '16:30 Maya' }).first()).toBeVisible();
    await open(page, '/', 'Good to see you, Ada');
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Schedule/ })
      .click();
    await expectPath(page, '/schedule?board=month');
    await page.getByRole('link', { name: '15:30 Noah' }).click();
    await expectLessonPage(page);
  });
});

async function seedTimeOff(api: ApiClient) {
  const first = '2030-03-27';
  await api.addSubject('Maths', 38);
  await api.addStudent('Maya Hale');
  await api.addTimeOff({ fromDate: first, toDate: '2030-03-29', reason: 'Spring break' });
  return { first };
}

interface Drag {
  dx: number;
  dy: number;
  /** Starts at the lower edge. */
  fromBottom?: boolean;
  /** Starts at this distance from the upper edge. */
  fromTop?: number;
}

async function drag(page: Page, target: Locator, { dx, dy, fromBottom, fromTop = 8 }: Drag) {
  const box = await target.boundingBox();
  if (!box) throw new Error('The target is not in the week view');
  const x = box.x + box.width / 3;
  const y = fromBottom ? box.y + box.height - 3 : box.y + fromTop;
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx / 2, y + dy / 2);
  await page.mouse.move(x + dx, y + dy, { steps: 4 });
  await page.mouse.up();
}

const weekEvent = (page: Page, student: string): Locator =>
  page.getByRole('link', { name: new RegExp(`^${student}`) });

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

async function lessonTimes(
  api: ApiClient,
  student: string,
  from = '2030-03-11',
  to = addDaysToDate(from, 6),
): Promise<string[]> {
  const rows = await api.sessions(from, to);
  return rows
    .filter(({ studentName, status }) => studentName === student && status === 'scheduled')
    .map(({ date, startTime, endTime }) => `${date} ${startTime}–${endTime}`);
}
