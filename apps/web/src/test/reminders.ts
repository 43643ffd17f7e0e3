import type { ReminderState } from '@lessonbook/contract/reminders';

const noWords = { subject: null, text: null };
const ours = { subject: '{when}: {short}', text: 'Hello {name}' };

/** A day before, by mail, to the carer; not started. */
export const reminderState = (change: Partial<ReminderState> = {}): ReminderState => ({
  startedAt: null,
  whatsAppByItself: false,
  lead: 1440,
  channels: ['email'],
  recipient: 'carer',
  chase: false,
  chaseDays: [3, 7, 14],
  templates: {
    lesson_reminder: noWords,
    lesson_change: noWords,
    payment_reminder: noWords,
    invoice: noWords,
    receipt: noWords,
  },
  proposals: {
    lesson_reminder: ours,
    lesson_change: ours,
    payment_reminder: { subject: 'Lessons to pay: {amount}', text: 'Hello {name}, {amount}' },
    invoice: ours,
    receipt: ours,
  },
  ...change,
});
