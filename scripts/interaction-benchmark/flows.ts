import type { Locator, Page } from '@playwright/test';

/** A task that a tutor does on a phone. It starts on a loaded, idle screen. */
export interface Flow {
  name: string;
  from: string;
  run: (page: Page) => Promise<void>;
  /** CI runs only the short flows. */
  short?: boolean;
}

const button = (container: Page | Locator, name: string | RegExp) =>
  container.getByRole('button', { name, exact: typeof name === 'string' });
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name });
const dialog = (page: Page) => page.getByRole('dialog').last();
const bottomNavLink = (page: Page, item: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: item });
const reportTab = (page: Page, item: string) =>
  page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: item });

async function openLessonDialog(page: Page): Promise<Locator> {
  await button(page, 'New Lesson').tap();
  await dialog(page).getByLabel('Lesson Title').waitFor();
  return dialog(page);
}

async function chooseFirstOption(page: Page, container: Locator, label: string): Promise<void> {
  await container.getByRole('combobox', { name: label }).tap();
  await page.getByRole('option').first().tap();
}

async function typeText(field: Locator, text: string): Promise<void> {
  await field.tap();
  await field.pressSequentially(text, { delay: 40 });
}

export const flows: readonly Flow[] = [
  {
    name: 'bottom navigation: schedule, reports, home',
    from: '/dashboard',
    short: true,
    async run(page) {
      await bottomNavLink(page, 'Schedule').tap();
      await heading(page, 'Schedule').waitFor();
      await bottomNavLink(page, 'Reports').tap();
      await heading(page, 'Tutor Earnings Report').waitFor();
      await bottomNavLink(page, 'Home').tap();
      await heading(page, /^Good to see you/).waitFor();
    },
  },
  {
    name: 'top bar: notifications, settings',
    from: '/dashboard',
    async run(page) {
      await page.getByRole('link', { name: /^Notifications/ }).tap();
      await heading(page, 'Notifications').waitFor();
      await page.getByRole('link', { name: 'Settings' }).tap();
      await heading(page, 'Settings').waitFor();
    },
  },
  {
    name: 'open the lesson dialog',
    from: '/schedule',
    async run(page) {
      await openLessonDialog(page);
      await button(dialog(page), 'Cancel').tap();
    },
  },
  {
    name: 'lesson: choose student and subject, enter title and fee',
    from: '/schedule',
    async run(page) {
      const form = await openLessonDialog(page);
      await chooseFirstOption(page, form, 'Student');
      await chooseFirstOption(page, form, 'Subject');
      await typeText(form.getByLabel('Lesson Title'), 'Algebra');
      await typeText(form.getByLabel('Fee'), '35');
    },
  },
  {
    name: 'lesson: pick a day, repeat it',
    from: '/schedule',
    async run(page) {
      const form = await openLessonDialog(page);
      await button(form, 'Calendar for Date').tap();
      await button(page, 'Next month').last().tap();
      await page.locator('[data-dates-dropdown] td button').nth(10).tap();
      await form.getByText('Recurring Lesson').tap();
    },
  },
  {
    name: 'schedule: next and previous week',
    from: '/schedule',
    short: true,
    async run(page) {
      await button(page, 'Next week').tap();
      await button(page, 'Next week').tap();
      await button(page, 'Previous week').tap();
    },
  },
  {
    name: 'month grid: open, next month, tap days, close',
    from: '/schedule',
    short: true,
    async run(page) {
      const month = page.getByRole('heading', { level: 2 }).getByRole('button').first();
      await month.tap();
      await page.getByRole('grid').waitFor();
      await button(page, 'Next month').tap();
      await page.getByRole('gridcell').nth(12).tap();
      await page.getByRole('gridcell').nth(16).tap();
      // The page remembers this state, and the next run must start with the grid closed.
      await month.tap();
      await page.getByRole('grid').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'students and subjects',
    from: '/schedule?view=students',
    async run(page) {
      await button(page, 'Edit Maya Okafor').tap();
      await typeText(dialog(page).getByRole('textbox', { name: /^Name/ }), ' B');
      await button(dialog(page), 'Cancel').tap();
    },
  },
  {
    name: 'complete lessons: select, expand',
    from: 'complete',
    short: true,
    async run(page) {
      const rows = page.getByRole('main').getByRole('listitem');
      await rows.nth(1).getByRole('checkbox').first().tap();
      await rows.first().getByRole('button', { expanded: false }).tap();
      await rows.first().getByRole('radio', { name: 'Late' }).tap();
    },
  },
  {
    name: 'completion dialog',
    from: 'session to complete',
    async run(page) {
      await button(page, 'Complete').tap();
      await typeText(dialog(page).getByRole('textbox').first(), 'Fractions');
    },
  },
  {
    name: 'move a session',
    from: 'upcoming session',
    async run(page) {
      await button(page, 'Move').tap();
      await dialog(page).getByLabel('Start').tap();
      await page.getByRole('option').nth(20).tap();
    },
  },
  {
    name: 'record a payment',
    from: 'family',
    async run(page) {
      await button(page, 'Record payment').first().tap();
      const amount = dialog(page).getByLabel('Amount');
      await amount.tap();
      await amount.press('End');
      await amount.pressSequentially('50', { delay: 40 });
    },
  },
  {
    name: 'account: menu',
    from: 'family',
    async run(page) {
      await button(page, 'More actions for this account').tap();
      await page.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'reports: owed, earnings',
    from: '/reports',
    short: true,
    async run(page) {
      await reportTab(page, 'Owed').tap();
      await page.getByRole('list').first().waitFor();
      await reportTab(page, 'Earnings').tap();
      await heading(page, 'Tutor Earnings Report').waitFor();
    },
  },
  {
    name: 'new invoice',
    from: '/invoices',
    async run(page) {
      await button(page, 'New invoice').tap();
      await dialog(page).getByRole('radio', { name: 'Custom' }).tap();
    },
  },
  {
    name: 'invoices: search',
    from: '/invoices',
    async run(page) {
      await typeText(page.getByLabel('Search invoices'), 'okafor');
    },
  },
  {
    name: 'invoice editor: open, add an item',
    from: '/invoices?state=draft',
    async run(page) {
      await page.getByRole('main').locator('a[href^="/invoices/"]').last().tap();
      await heading(page, 'Draft invoice').waitFor();
      await button(page, 'Add item').tap();
      await typeText(dialog(page).getByRole('textbox').first(), 'Book');
    },
  },
  {
    name: 'accounts: open one',
    from: '/families',
    async run(page) {
      await page
        .getByRole('main')
        .getByRole('link', { name: /Okafor/ })
        .first()
        .tap();
      await button(page, 'Record payment').first().waitFor();
    },
  },
  {
    name: 'settings: switch the theme twice',
    from: '/settings',
    async run(page) {
      await button(page, /^Theme Settings/).tap();
      await dialog(page).getByRole('radio', { name: 'Dark' }).tap();
      await dialog(page).getByRole('radio', { name: 'Light' }).tap();
      await button(dialog(page), 'Close').tap();
    },
  },
  {
    name: 'settings: toggle, cancellation policy',
    from: '/settings',
    async run(page) {
      await page.getByRole('switch', { name: /^Payment Notifications/ }).tap();
      await button(page, /^Cancellation policy/).tap();
      await typeText(dialog(page).getByLabel('Notice period (hours)'), '4');
    },
  },
  {
    name: 'messages: sent and back',
    from: '/messages',
    async run(page) {
      await page.getByRole('radio', { name: 'Sent' }).tap();
      await page.getByRole('radio', { name: 'To send' }).tap();
    },
  },
];
