import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { reminders } from '@lessonbook/contract/reminders';
import { whatsapp } from '@lessonbook/contract/whatsapp';
import type { Context } from '../../context.ts';
import type { Http } from '../../platform/http.ts';
import { giveConsent, readConsents, withdrawConsent } from './service/consents.ts';
import {
  previewInvoiceMessage,
  previewReceipt,
  sendInvoice,
  sendReceipt,
} from './service/documents.ts';
import { listenForNews, markAsRead, readInbox, readUnread } from './service/inbox.ts';
import { previewPaymentReminder, sendPaymentReminder } from './service/payment-reminder.ts';
import { firstBatch } from './service/reminders.ts';
import {
  changeReminders,
  changeStudentReminders,
  readReminders,
  readStudentReminders,
  startReminders,
  stopReminders,
} from './service/settings.ts';
import { previewTell, tellFamilies } from './service/tell.ts';
import { previewTemplate } from './service/template-preview.ts';
import {
  noteOpened,
  readLog,
  readMessages,
  readTray,
  retryMessage,
  settleDraft,
} from './service/tray.ts';
import { unsubscribe } from './service/unsubscribe.ts';
import { confirmWebhook, receiveWebhook } from './service/whatsapp-webhook.ts';

export function messageRoutes(http: Http, context: Context): void {
  const sent = async (tutorId: string, ids: Promise<number[]>) => ({
    messages: await readMessages(context, tutorId, await ids),
  });
  http.on(messages.listMessages, ({ login, query }) => readLog(context, login.tutorId, query));
  http.on(messages.tray, ({ login }) => readTray(context, login.tutorId));
  http.on(messages.openMessage, ({ login, params }) =>
    noteOpened(context, login.tutorId, params.id),
  );
  http.on(messages.settleMessage, ({ login, params, body }) =>
    settleDraft(context, login.tutorId, params.id, body.outcome),
  );
  http.on(messages.retryMessage, ({ login, params, repeat }) =>
    retryMessage(context, login.tutorId, params.id, repeat),
  );
  http.on(messages.previewReminder, ({ login, body }) =>
    previewPaymentReminder(context, login.tutorId, body),
  );
  http.on(messages.sendReminder, ({ login, body, repeat }) =>
    sent(login.tutorId, sendPaymentReminder(context, login.tutorId, body, repeat)),
  );
  http.on(messages.previewTell, ({ login, body }) => previewTell(context, login.tutorId, body));
  http.on(messages.tell, ({ login, body, repeat }) =>
    sent(login.tutorId, tellFamilies(context, login.tutorId, body, repeat)),
  );
  http.on(messages.previewInvoiceMessage, ({ login, params, body }) =>
    previewInvoiceMessage(context, login.tutorId, params.id, body),
  );
  http.on(messages.sendInvoice, ({ login, params, body, repeat }) =>
    sent(login.tutorId, sendInvoice(context, login.tutorId, params.id, body, repeat)),
  );
  http.on(messages.previewReceipt, ({ login, params, body }) =>
    previewReceipt(context, login.tutorId, params.id, body),
  );
  http.on(messages.sendReceipt, ({ login, params, body, repeat }) =>
    sent(login.tutorId, sendReceipt(context, login.tutorId, params.id, body, repeat)),
  );
  http.on(messages.unsubscribe, ({ params, visitor }) =>
    unsubscribe(context, params.token, visitor),
  );
}

export function reminderSettingsRoutes(http: Http, context: Context): void {
  http.on(reminders.reminderSettings, ({ login }) => readReminders(context, login.tutorId));
  http.on(reminders.saveReminderSettings, ({ login, body }) =>
    changeReminders(context, login.tutorId, body),
  );
  http.on(reminders.firstBatch, ({ login }) => firstBatch(context, login.tutorId));
  http.on(reminders.startReminders, ({ login }) => startReminders(context, login.tutorId));
  http.on(reminders.stopReminders, ({ login }) => stopReminders(context, login.tutorId));
  http.on(reminders.previewTemplate, ({ login, body }) =>
    previewTemplate(context, login.tutorId, body),
  );
  http.on(reminders.studentReminders, ({ login, params }) =>
    readStudentReminders(context, login.tutorId, params.id),
  );
  http.on(reminders.saveStudentReminders, ({ login, params, body }) =>
    changeStudentReminders(context, login.tutorId, params.id, body),
  );
}

export function inboxRoutes(http: Http, context: Context): void {
  http.on(notifications.listNotifications, ({ login, query }) =>
    readInbox(context, login.tutorId, query),
  );
  http.on(notifications.unreadCount, ({ login }) => readUnread(context, login.tutorId));
  http.onStream(notifications.newsStream, ({ login }, send) =>
    listenForNews(context, login.tutorId, send),
  );
  http.on(notifications.readNotifications, ({ login, body }) =>
    markAsRead(context, login.tutorId, body.ids ?? null),
  );
}

export function whatsAppRoutes(http: Http, context: Context): void {
  http.on(whatsapp.listConsents, ({ login }) => readConsents(context, login.tutorId));
  http.on(whatsapp.giveConsent, ({ login, params }) =>
    giveConsent(context, login.tutorId, params.id),
  );
  http.on(whatsapp.withdrawConsent, ({ login, body }) =>
    withdrawConsent(context, login.tutorId, body.address),
  );
  http.onFile(whatsapp.verifyWhatsAppWebhook, ({ query }) =>
    confirmWebhook(context, {
      mode: query['hub.mode'],
      token: query['hub.verify_token'],
      challenge: query['hub.challenge'],
    }),
  );
  http.on(whatsapp.whatsAppWebhook, ({ raw, header }) =>
    receiveWebhook(context, raw, header('x-hub-signature-256')),
  );
}
