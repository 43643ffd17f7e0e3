import type { ReminderState } from '@lessonbook/contract/reminder-settings';

const emptyTemplate = { subject: null, text: null };
const defaultTemplate = { subject: '{when}: {short}', text: 'Hello {name}' };

/** One day before, by e-mail, to the carer; not enabled. */
export const reminderState = (overrides: Partial<ReminderState> = {}): ReminderState => ({
  enabledAt: null,
  whatsAppAutomatic: false,
  lead: 1440,
  channels: ['email'],
  recipient: 'carer',
  overdueEnabled: false,
  overdueDays: [3, 7, 14],
  templates: {
    lesson_reminder: emptyTemplate,
    lesson_change: emptyTemplate,
    payment_reminder: emptyTemplate,
    invoice: emptyTemplate,
    receipt: emptyTemplate,
  },
  defaultTemplates: {
    lesson_reminder: defaultTemplate,
    lesson_change: defaultTemplate,
    payment_reminder: { subject: 'Lessons to pay: {amount}', text: 'Hello {name}, {amount}' },
    invoice: defaultTemplate,
    receipt: defaultTemplate,
  },
  ...overrides,
});
