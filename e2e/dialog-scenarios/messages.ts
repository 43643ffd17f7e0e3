import { addDaysToDate } from '@lessonbook/contract/dates';
import { expect, type Page } from '@playwright/test';
import type { ApiClient } from '../api-client.ts';
import { button, dialog, region, textField } from '../page-objects/controls.ts';
import { open } from '../page-objects/navigation.ts';
import { openDialog } from './lessons.ts';

/* Messages to families. These use a separate account, because the demo account sends nothing. */

export interface MessageFixture {
  familyId: number;
  paymentId: number;
  invoice: { id: number; number: string };
  tomorrow: string;
}

/** Screens about messages, with their headings. */
export const messageScreens = {
  '/messages': 'Messages',
  '/messages?show=sent': 'Messages',
  '/messages/new': 'New message',
  '/notifications': 'Notifications',
  '/settings/reminders': 'Reminders',
} as const;

/* The dialogs on these screens, and the forms for writing messages. The last scenario cancels lessons, so it must stay last. */
export const messageScenarios: Record<
  string,
  (page: Page, fixture: MessageFixture) => Promise<void>
> = {
  async 'message-draft-menu'(page) {
    await open(page, '/messages', 'Messages');
    const waiting = region(page, 'Waiting for you to send in WhatsApp');
    await waiting.getByRole('link', { name: /^Sami Aziz/ }).click();
    await button(page, 'More, Sami Aziz').click();
    await expect(page.getByRole('menu')).toBeVisible();
  },
  async 'message-open'(page) {
    await open(page, '/messages?show=sent', 'Messages');
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Ruth Hale/ })
      .first()
      .click();
    await expect(page.getByText(/^Hi Ruth/)).toBeVisible();
  },
  async 'new-message'(page, { familyId }) {
    await open(page, `/messages/new?families=${familyId}`, 'New message');
    await textField(page, 'Subject').fill('Half-term');
    await expect(button(page, 'Send to Ruth Hale')).toBeEnabled();
  },
  async 'remind-overdue'(page) {
    await open(page, '/messages', 'Messages');
    await page.getByRole('link', { name: 'Send overdue reminders' }).click();
    await expect(
      dialog(page, 'Send overdue reminders').getByRole('checkbox').first(),
    ).toBeVisible();
  },
  async 'reminders-first-batch'(page) {
    await open(page, '/settings/reminders', 'Reminders');
    const batch = await openDialog(page, 'Start reminders', 'Start reminders');
    await batch.locator('summary').first().click();
    await expect(batch.getByText(/A reminder of/).first()).toBeVisible();
  },
  async 'invoice-send'(page, { invoice }) {
    await open(page, `/invoices/${invoice.id}`, `Invoice ${invoice.number}`);
    const form = await openDialog(page, 'Send', 'Send invoice');
    await expect(textField(form, 'Message')).toBeVisible();
  },
  async 'receipt-send'(page, { familyId, paymentId }) {
    await page.goto(`/families/${familyId}?payment=${paymentId}`);
    await button(dialog(page, 'Payment'), 'Send receipt').click();
    await expect(textField(dialog(page, 'Send receipt'), 'Message')).toBeVisible();
  },
  async 'reminder-send'(page, { familyId }) {
    await open(page, `/families/${familyId}`, 'Ruth Hale');
    const form = await openDialog(page, 'Remind', 'Send reminder');
    await textField(form, 'Message').fill('');
    await expect(form.getByText('Please write a message')).toBeVisible();
  },
  async 'notify-families'(page, { tomorrow }) {
    await open(page, `/settings/time-off?date=${tomorrow}`, 'Time off');
    await button(dialog(page, 'Add time off'), 'Cancel 2 lessons').click();
    const form = dialog(page, 'Let the families know?');
    await form.locator('summary').first().click();
    await expect(form.getByText(/^Hi Ruth/)).toBeVisible();
  },
};

/** Creates drafts of every kind, sent messages and notifications. */
export async function seedMessages(api: ApiClient): Promise<MessageFixture> {
  const maths = await api.addSubject('Maths', 35);
  const { today } = await api.dashboard();
  const maya = await api.addStudent('Maya Hale', {
    carerName: 'Ruth Hale',
    carerEmail: 'ruth@families.example',
    carerPhone: '+44 7700 900123',
  });
  const omar = await api.addStudent('Omar Aziz', {
    carerName: 'Sami Aziz',
    carerEmail: 'sami@families.example',
    carerPhone: '07700 900456 ext. 3',
  });
  const lesson = { subject: maths, start: '16:00' };
  await api.addCompletedLesson({ ...lesson, student: maya, date: addDaysToDate(today, -9) });
  await api.addCompletedLesson({ ...lesson, student: maya, date: addDaysToDate(today, -2) });
  await api.addCompletedLesson({ ...lesson, student: omar, date: addDaysToDate(today, -8) });
  const tomorrow = { ...lesson, date: addDaysToDate(today, 1), start: '00:00' };
  await api.addLesson({ ...tomorrow, student: maya });
  await api.addLesson({ ...tomorrow, student: omar, start: '02:00' });
  const ruth = await api.findAccount('Ruth Hale');
  const sami = await api.findAccount('Sami Aziz');
  const payment = await api.recordPayment({
    familyId: ruth.id,
    amount: 3500,
    currency: 'GBP',
    method: 'bank_transfer',
    date: today,
    chargeIds: [],
  });
  await api.saveBusinessSettings({ paymentInstructions: 'In cash at the lesson' });
  const drafts = await api.draftBulkInvoices(addDaysToDate(today, -20), today);
  const [issued] = await api.issueInvoices(drafts.map(({ id }) => id));
  // A family that is not invoiced owes each lesson on its date.
  const lena = await api.addStudent('Lena Moss', {
    carerName: 'Jo Moss',
    carerEmail: 'jo@families.example',
  });
  await api.addCompletedLesson({
    ...lesson,
    student: lena,
    date: addDaysToDate(today, -5),
    start: '18:00',
  });
  for (const familyId of [ruth.id, sami.id, ruth.id, ruth.id]) {
    await api.sendReminder({ familyId, channel: 'whatsapp' });
  }
  const [sent, opened] = await api.outbox();
  if (sent) await api.resolveMessage(sent.id, 'sent');
  if (opened) await api.markMessageOpened(opened.id);
  await api.claimTransfer(ruth.payToken);
  await api.claimTransfer(sami.payToken);
  return {
    familyId: ruth.id,
    paymentId: payment.id,
    invoice: { id: issued?.id ?? 0, number: issued?.number ?? '' },
    tomorrow: tomorrow.date,
  };
}
