import { bulkMessages } from '@lessonbook/contract/bulk-messages';
import { emailPreferences } from '@lessonbook/contract/email-preferences';
import { sessionMessages } from '@lessonbook/contract/list-messages-about-session';
import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { notArrived } from '@lessonbook/contract/student-not-arrived-messages';
import { whatsappConsents } from '@lessonbook/contract/whatsapp-consent';
import { whatsappWebhooks } from '@lessonbook/contract/whatsapp-webhook-endpoints';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import {
  listNotifications,
  markAsDone,
  markAsRead,
  readUnreadCount,
  streamNotifications,
} from './service/notifications/notifications.ts';
import { previewChangeNotice, sendChangeNotice } from './service/outbound/change-notice.ts';
import {
  previewCustomMessage,
  readFamiliesWithLesson,
  sendCustomMessage,
} from './service/outbound/custom-message.ts';
import { sendDraft } from './service/outbound/drafts.ts';
import { listPendingNotices } from './service/outbound/find-pending-change-notices.ts';
import {
  listMessages,
  listOutbox,
  markOpened,
  readMessage,
  readMessages,
  resolveDraft,
  retryMessage,
} from './service/outbound/list-retry-and-dismiss-messages.ts';
import {
  previewInvoiceMessage,
  previewReceipt,
  sendInvoice,
  sendReceipt,
} from './service/outbound/send-invoice-or-receipt.ts';
import {
  previewNotArrived,
  sendNotArrived,
} from './service/outbound/send-student-not-arrived-message.ts';
import { previewTemplate } from './service/outbound/template-preview.ts';
import {
  readFamilyReminders,
  readReminderPreferences,
  saveReminderPreferences,
  unsubscribe,
} from './service/outbound/unsubscribe-link-preferences.ts';
import { reportEmail, withdrawReport } from './service/outbound/unwanted-email-reports.ts';
import {
  previewPaymentReminder,
  sendPaymentReminder,
} from './service/reminders/payment-reminder.ts';
import { listOverdueReminders } from './service/reminders/remind-overdue-families.ts';
import {
  readReminderSettings,
  readStudentReminders,
  stopReminders,
  updateReminderSettings,
  updateStudentReminders,
} from './service/reminders/reminder-settings.ts';
import { readSessionMessages } from './service/reminders/session-messages-and-planned-reminders.ts';
import {
  previewReminders,
  startReminders,
} from './service/reminders/turn-on-automatic-reminders.ts';
import { readConsents, recordConsent, withdrawConsent } from './service/whatsapp/consents.ts';
import { receiveWebhook, verifyWebhook } from './service/whatsapp/webhook.ts';

export function messageRoutes(http: HttpServer, context: Context): void {
  const withMessages = async (tutorId: string, ids: Promise<number[]>) => ({
    messages: await readMessages(context, tutorId, await ids),
  });
  http.on(messages.listMessages, ({ login, query }) => listMessages(context, login.tutorId, query));
  http.on(messages.outbox, ({ login }) => listOutbox(context, login.tutorId));
  http.on(messages.message, ({ login, params }) => readMessage(context, login.tutorId, params.id));
  http.on(messages.markMessageOpened, ({ login, params }) =>
    markOpened(context, login.tutorId, params.id),
  );
  http.on(messages.setMessageOutcome, ({ login, params, body }) =>
    resolveDraft(context, login.tutorId, params.id, body.outcome),
  );
  http.on(bulkMessages.sendDraft, ({ login, params, body, idempotencyKey }) =>
    sendDraft(context, login.tutorId, params.id, body, idempotencyKey),
  );
  http.on(messages.retryMessage, ({ login, params, idempotencyKey }) =>
    retryMessage(context, login.tutorId, params.id, idempotencyKey),
  );
  http.on(messages.previewReminder, ({ login, body }) =>
    previewPaymentReminder(context, login.tutorId, body),
  );
  http.on(messages.sendReminder, ({ login, body, idempotencyKey }) =>
    withMessages(login.tutorId, sendPaymentReminder(context, login.tutorId, body, idempotencyKey)),
  );
  http.on(messages.pendingNotices, ({ login, query }) =>
    listPendingNotices(context, login.tutorId, query),
  );
  http.on(sessionMessages.sessionMessages, ({ login, params }) =>
    readSessionMessages(context, login.tutorId, params.id),
  );
  http.on(notArrived.previewNotArrived, ({ login, params }) =>
    previewNotArrived(context, login.tutorId, params.id),
  );
  http.on(notArrived.sendNotArrived, ({ login, params, body, idempotencyKey }) =>
    withMessages(
      login.tutorId,
      sendNotArrived(context, login.tutorId, params.id, body, idempotencyKey),
    ),
  );
  http.on(messages.previewChangeNotice, ({ login, body }) =>
    previewChangeNotice(context, login.tutorId, body),
  );
  http.on(messages.sendChangeNotice, ({ login, body, idempotencyKey }) =>
    withMessages(login.tutorId, sendChangeNotice(context, login.tutorId, body, idempotencyKey)),
  );
  http.on(messages.previewInvoiceMessage, ({ login, params, body }) =>
    previewInvoiceMessage(context, login.tutorId, params.id, body),
  );
  http.on(messages.sendInvoice, ({ login, params, body, idempotencyKey }) =>
    withMessages(
      login.tutorId,
      sendInvoice(context, login.tutorId, params.id, body, idempotencyKey),
    ),
  );
  http.on(messages.previewReceipt, ({ login, params, body }) =>
    previewReceipt(context, login.tutorId, params.id, body),
  );
  http.on(messages.sendReceipt, ({ login, params, body, idempotencyKey }) =>
    withMessages(
      login.tutorId,
      sendReceipt(context, login.tutorId, params.id, body, idempotencyKey),
    ),
  );
  http.on(emailPreferences.familyReminders, ({ login, params }) =>
    readFamilyReminders(context, login.tutorId, params.id),
  );
  // The page asks for confirmation before it changes anything, because mail scanners open links too.
  http.onRedirect(
    emailPreferences.openUnsubscribe,
    async ({ params }) => `/unsubscribe/${encodeURIComponent(params.token)}`,
  );
  http.on(emailPreferences.reminderPreferences, ({ params, requestContext }) =>
    readReminderPreferences(context, params.token, requestContext),
  );
  http.on(emailPreferences.saveReminderPreferences, ({ params, body, requestContext }) =>
    saveReminderPreferences(context, params.token, body.stoppedKinds, requestContext),
  );
  http.on(emailPreferences.unsubscribe, ({ params, requestContext }) =>
    unsubscribe(context, params.token, requestContext),
  );
  http.on(emailPreferences.reportEmail, ({ params, requestContext }) =>
    reportEmail(context, params.token, requestContext),
  );
  http.on(emailPreferences.withdrawReport, ({ params, requestContext }) =>
    withdrawReport(context, params.token, requestContext),
  );
}

export function bulkMessageRoutes(http: HttpServer, context: Context): void {
  http.on(bulkMessages.overdueReminders, ({ login }) =>
    listOverdueReminders(context, login.tutorId),
  );
  http.on(bulkMessages.familiesWithLesson, ({ login, query }) =>
    readFamiliesWithLesson(context, login.tutorId, query.date),
  );
  http.on(bulkMessages.previewCustomMessage, ({ login, body }) =>
    previewCustomMessage(context, login.tutorId, body),
  );
  http.on(bulkMessages.sendCustomMessage, ({ login, body, idempotencyKey }) =>
    sendCustomMessage(context, login.tutorId, body, idempotencyKey),
  );
}

export function reminderSettingsRoutes(http: HttpServer, context: Context): void {
  http.on(reminders.reminderSettings, ({ login }) => readReminderSettings(context, login.tutorId));
  http.on(reminders.saveReminderSettings, ({ login, body }) =>
    updateReminderSettings(context, login.tutorId, body),
  );
  http.on(reminders.previewFirstReminders, ({ login }) => previewReminders(context, login.tutorId));
  http.on(reminders.startReminders, ({ login, body }) =>
    startReminders(context, login.tutorId, body.excludedKeys),
  );
  http.on(reminders.stopReminders, ({ login }) => stopReminders(context, login.tutorId));
  http.on(reminders.previewTemplate, ({ login, body }) =>
    previewTemplate(context, login.tutorId, body),
  );
  http.on(reminders.studentReminders, ({ login, params }) =>
    readStudentReminders(context, login.tutorId, params.id),
  );
  http.on(reminders.saveStudentReminders, ({ login, params, body }) =>
    updateStudentReminders(context, login.tutorId, params.id, body),
  );
}

export function notificationRoutes(http: HttpServer, context: Context): void {
  http.on(notifications.listNotifications, ({ login, query }) =>
    listNotifications(context, login.tutorId, query),
  );
  http.on(notifications.unreadCount, ({ login }) => readUnreadCount(context, login.tutorId));
  http.onStream(notifications.notificationStream, ({ login }, send) =>
    streamNotifications(context, login.tutorId, send),
  );
  http.on(notifications.markNotificationsRead, ({ login, body }) =>
    markAsRead(context, login.tutorId, body.ids ?? null),
  );
  http.on(notifications.markNotificationsDone, ({ login, body }) =>
    markAsDone(context, login.tutorId, body.ids),
  );
}

export function whatsAppRoutes(http: HttpServer, context: Context): void {
  http.on(whatsappConsents.listConsents, ({ login }) => readConsents(context, login.tutorId));
  http.on(whatsappConsents.grantConsent, ({ login, params }) =>
    recordConsent(context, login.tutorId, params.id),
  );
  http.on(whatsappConsents.withdrawConsent, ({ login, body }) =>
    withdrawConsent(context, login.tutorId, body.address),
  );
  http.onFile(whatsappWebhooks.verifyWhatsAppWebhook, ({ query }) =>
    verifyWebhook(context, {
      mode: query['hub.mode'],
      token: query['hub.verify_token'],
      challenge: query['hub.challenge'],
    }),
  );
  http.on(whatsappWebhooks.whatsAppWebhook, ({ rawBody, header }) =>
    receiveWebhook(context, rawBody, header('x-hub-signature-256')),
  );
}
