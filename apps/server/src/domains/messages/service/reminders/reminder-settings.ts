import type {
  ReminderSettings,
  ReminderState,
  StudentReminders,
} from '@lessonbook/contract/reminder-settings';
import type { Context } from '../../../../context.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { scheduleWork } from '../../../../platform/queue/tenant-schedule.ts';
import { notifyOwner } from '../../../accounts/service/email/security-email.ts';
import { getStudentOrThrow } from '../../../students/service/students.ts';
import { REMINDERS_WORK } from '../../job-types.ts';
import {
  reminderPreferencesByStudent,
  reminderSettingsByTutor,
  type SettingsRecord,
  saveReminderSettings,
  saveStudentPreferences,
} from '../../queries/reminder-settings.ts';
import { DEFAULT_TEMPLATES } from '../../rules/message-templates.ts';

const EMPTY_TEMPLATE = { subject: null, text: null };

/** By default, reminders are off. Once enabled, they are emailed to the carer a day before the lesson. */
export const DEFAULT_SETTINGS: Omit<SettingsRecord, 'templates'> & {
  templates: ReminderSettings['templates'];
} = {
  enabledAt: null,
  leadMinutes: 1440,
  channels: ['email'],
  recipient: 'carer',
  overdueEnabled: false,
  overdueDays: [3, 7, 14],
  templates: {
    lesson_reminder: EMPTY_TEMPLATE,
    lesson_change: EMPTY_TEMPLATE,
    payment_reminder: EMPTY_TEMPLATE,
    invoice: EMPTY_TEMPLATE,
    receipt: EMPTY_TEMPLATE,
  },
};

export type Settings = typeof DEFAULT_SETTINGS;

const toSettings = (record: SettingsRecord | undefined): Settings =>
  record
    ? {
        ...record,
        templates: {
          ...DEFAULT_SETTINGS.templates,
          ...(record.templates as unknown as ReminderSettings['templates']),
        },
      }
    : DEFAULT_SETTINGS;

export const getSettings = async (tx: Tx, tutorId: string): Promise<Settings> =>
  toSettings(await reminderSettingsByTutor(tx, tutorId).executeTakeFirst());

export async function readReminderSettings(
  context: Context,
  tutorId: string,
): Promise<ReminderState> {
  const [[record]] = await context.db.tutorRead(tutorId, (tx) => [
    reminderSettingsByTutor(tx, tutorId),
  ]);
  return toReminderState(context, toSettings(record));
}

export const toReminderState = (context: Context, settings: Settings): ReminderState => ({
  ...settings,
  leadMinutes: settings.leadMinutes as ReminderState['leadMinutes'],
  channels: settings.channels as ReminderState['channels'],
  recipient: settings.recipient as ReminderState['recipient'],
  enabledAt: settings.enabledAt?.toISOString() ?? null,
  whatsAppAutomatic: context.whatsApp !== null,
  defaultTemplates: DEFAULT_TEMPLATES,
});

export async function updateReminderSettings(
  context: Context,
  tutorId: string,
  input: ReminderSettings,
): Promise<ReminderState> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const { enabledAt, templates } = await getSettings(tx, tutorId);
    const settings: Settings = {
      ...input,
      enabledAt,
      channels: [...new Set(input.channels)],
      overdueDays: [...new Set(input.overdueDays)].toSorted((a, b) => a - b),
    };
    await saveSettings(tx, tutorId, settings);
    if (haveTemplatesChanged(templates, input.templates)) {
      await recordAudit(tx, tutorId, { action: 'message_texts_changed', at: context.clock.now() });
      await notifyOwner(context, tx, tutorId, 'message-texts-changed');
    }
    if (enabledAt) await scheduleWork(tx, tutorId, REMINDERS_WORK, context.clock.now());
    return toReminderState(context, settings);
  });
}

type Templates = ReminderSettings['templates'];

const haveTemplatesChanged = (before: Templates, after: Templates): boolean =>
  (Object.keys(before) as (keyof Templates)[]).some(
    (kind) =>
      (before[kind].subject || null) !== (after[kind].subject || null) ||
      (before[kind].text || null) !== (after[kind].text || null),
  );

export const saveSettings = (tx: Tx, tutorId: string, settings: Settings): Promise<void> =>
  saveReminderSettings(tx, tutorId, {
    ...settings,
    templates: JSON.stringify(settings.templates),
  });

export async function stopReminders(context: Context, tutorId: string): Promise<ReminderState> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const stopped = { ...(await getSettings(tx, tutorId)), enabledAt: null };
    await saveSettings(tx, tutorId, stopped);
    // The next run clears the schedule, unless families may still need corrections.
    await scheduleWork(tx, tutorId, REMINDERS_WORK, context.clock.now());
    return toReminderState(context, stopped);
  });
}

export async function readStudentReminders(
  context: Context,
  tutorId: string,
  studentId: number,
): Promise<StudentReminders> {
  return context.db.tutorSnapshot(tutorId, (tx) => getStudentPreferences(tx, tutorId, studentId));
}

async function getStudentPreferences(
  tx: Tx,
  tutorId: string,
  studentId: number,
): Promise<StudentReminders> {
  await getStudentOrThrow(tx, tutorId, studentId);
  const custom = await reminderPreferencesByStudent(tx, tutorId, studentId).executeTakeFirst();
  const { leadMinutes, channels, recipient } = custom ?? (await getSettings(tx, tutorId));
  return { isCustom: custom !== undefined, leadMinutes, channels, recipient } as StudentReminders;
}

export async function updateStudentReminders(
  context: Context,
  tutorId: string,
  studentId: number,
  input: StudentReminders,
): Promise<StudentReminders> {
  const { isCustom, leadMinutes, channels, recipient } = input;
  return context.db.tutorTransaction(tutorId, async (tx) => {
    await getStudentOrThrow(tx, tutorId, studentId);
    await saveStudentPreferences(
      tx,
      tutorId,
      studentId,
      isCustom ? { leadMinutes, channels, recipient } : null,
    );
    return getStudentPreferences(tx, tutorId, studentId);
  });
}
