import type { Message, MessagePreview, PendingNotice } from '@lessonbook/contract/messages';
import type { PlannedMessage, ReminderState } from '@lessonbook/contract/reminder-settings';

/** By default sent to Ruth Hale by WhatsApp and created today. */
export const message = (overrides: Partial<Message> = {}): Message => ({
  id: 5,
  kind: 'payment_reminder',
  channel: 'whatsapp',
  state: 'draft',
  familyId: 3,
  invoiceId: null,
  paymentId: null,
  toName: 'Ruth Hale',
  address: '+447700900001',
  subject: 'Payment reminder: £70.00',
  text: 'Hello Ruth,\n\n£70.00 is to be paid for:\n\nMaya: Maths lesson',
  createdAt: '2026-11-15T09:05:00Z',
  sentAt: null,
  sentBy: 'tutor',
  isMarkedAsSent: false,
  problem: null,
  openUrl: 'https://wa.me/447700900001?text=Hello%20Ruth',
  ...overrides,
});

export const messagePreview = (overrides: Partial<MessagePreview> = {}): MessagePreview => ({
  familyId: 3,
  sessionIds: [],
  toName: 'Ruth Hale',
  channel: 'email',
  address: 'ruth@hale.example',
  subject: 'Payment reminder: £70.00',
  text: 'Hello Ruth,\n\n£70.00 is to be paid.',
  at: null,
  problem: null,
  ...overrides,
});

export const plannedMessage = (overrides: Partial<PlannedMessage> = {}): PlannedMessage => ({
  ...messagePreview(),
  key: 'reminder c3 2026-11-16 email',
  kind: 'lesson_reminder',
  at: '2026-11-15T10:00:00Z',
  ...overrides,
});

/** By default Maya's lesson was moved from Tuesday 17 to Friday 20 November, and the family has not been notified. */
export const pendingNotice = (overrides: Partial<PendingNotice> = {}): PendingNotice => ({
  sessionId: 12,
  change: 'moved',
  studentName: 'Maya Hale',
  toName: 'Ruth Hale',
  wasInformed: false,
  lastCommunicated: { date: '2026-11-17', startTime: '16:00', endTime: '17:00' },
  date: '2026-11-20',
  startTime: '09:00',
  endTime: '10:00',
  ...overrides,
});

const emptyTemplate = { subject: null, text: null };
const defaultTemplate = { subject: 'Lesson reminder: {when}, {summary}', text: 'Hello {name}' };

/** One day before, by email, to the carer; not enabled. */
export const reminderState = (overrides: Partial<ReminderState> = {}): ReminderState => ({
  enabledAt: null,
  whatsAppAutomatic: false,
  leadMinutes: 1440,
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
    payment_reminder: { subject: 'Payment reminder: {amount}', text: 'Hello {name}, {amount}' },
    invoice: defaultTemplate,
    receipt: defaultTemplate,
  },
  ...overrides,
});
