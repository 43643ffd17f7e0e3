import type {
  ReminderSettings,
  ReminderState,
  StudentReminders,
} from '@lessonbook/contract/reminders';
import type { Context } from '../../../context.ts';
import { putOnAgenda, settleAgenda } from '../../../platform/agenda.ts';
import type { Tx } from '../../../platform/db.ts';
import { studentInBook } from '../../students/service/students.ts';
import {
  reminderSettingsOf,
  type SettingsRecord,
  saveReminderSettings,
  saveStudentChoice,
  studentChoiceOf,
} from '../queries/settings.ts';
import { PROPOSALS } from '../rules/words.ts';

/** The tutors whose reminders go out by themselves are on the agenda under this name. */
export const REMINDERS = 'reminders';

const NO_WORDS = { subject: null, text: null };

/** A day before, by mail, to the carer; nothing goes by itself yet. */
export const DEFAULTS: Omit<SettingsRecord, 'templates'> & {
  templates: ReminderSettings['templates'];
} = {
  startedAt: null,
  lead: 1440,
  channels: ['email'],
  recipient: 'carer',
  chase: false,
  chaseDays: [3, 7, 14],
  templates: {
    lesson_reminder: NO_WORDS,
    lesson_change: NO_WORDS,
    payment_reminder: NO_WORDS,
    invoice: NO_WORDS,
    receipt: NO_WORDS,
  },
};

export type Settings = typeof DEFAULTS;

const asSettings = (record: SettingsRecord | undefined): Settings =>
  record
    ? {
        ...record,
        templates: {
          ...DEFAULTS.templates,
          ...(record.templates as unknown as ReminderSettings['templates']),
        },
      }
    : DEFAULTS;

export const settingsIn = async (tx: Tx, tutorId: string): Promise<Settings> =>
  asSettings(await reminderSettingsOf(tx, tutorId).executeTakeFirst());

export async function readReminders(context: Context, tutorId: string): Promise<ReminderState> {
  const [[record]] = await context.db.readTutor(tutorId, (tx) => [reminderSettingsOf(tx, tutorId)]);
  return asState(context, asSettings(record));
}

const asState = (context: Context, settings: Settings): ReminderState => ({
  ...settings,
  lead: settings.lead as ReminderState['lead'],
  channels: settings.channels as ReminderState['channels'],
  recipient: settings.recipient as ReminderState['recipient'],
  startedAt: settings.startedAt?.toISOString() ?? null,
  whatsAppByItself: context.whatsApp !== null,
  proposals: PROPOSALS,
});

export async function changeReminders(
  context: Context,
  tutorId: string,
  input: ReminderSettings,
): Promise<ReminderState> {
  return context.db.withTutor(tutorId, async (tx) => {
    const { startedAt } = await settingsIn(tx, tutorId);
    const settings: Settings = {
      ...input,
      startedAt,
      channels: [...new Set(input.channels)],
      chaseDays: [...new Set(input.chaseDays)].toSorted((a, b) => a - b),
    };
    await save(tx, tutorId, settings);
    if (startedAt) await putOnAgenda(tx, tutorId, REMINDERS, context.clock.now());
    return asState(context, settings);
  });
}

const save = (tx: Tx, tutorId: string, settings: Settings): Promise<void> =>
  saveReminderSettings(tx, tutorId, {
    ...settings,
    templates: JSON.stringify(settings.templates),
  });

/** Nothing automatic reaches a family before this was pressed. */
export async function startReminders(context: Context, tutorId: string): Promise<ReminderState> {
  const now = context.clock.now();
  return context.db.withTutor(tutorId, async (tx) => {
    const settings = await settingsIn(tx, tutorId);
    const started = { ...settings, startedAt: settings.startedAt ?? now };
    await save(tx, tutorId, started);
    await putOnAgenda(tx, tutorId, REMINDERS, now);
    return asState(context, started);
  });
}

export async function stopReminders(context: Context, tutorId: string): Promise<ReminderState> {
  return context.db.withTutor(tutorId, async (tx) => {
    const stopped = { ...(await settingsIn(tx, tutorId)), startedAt: null };
    await save(tx, tutorId, stopped);
    await settleAgenda(tx, tutorId, REMINDERS, null);
    return asState(context, stopped);
  });
}

export async function readStudentReminders(
  context: Context,
  tutorId: string,
  studentId: number,
): Promise<StudentReminders> {
  return context.db.lookAtTutor(tutorId, (tx) => choiceOf(tx, tutorId, studentId));
}

async function choiceOf(tx: Tx, tutorId: string, studentId: number): Promise<StudentReminders> {
  await studentInBook(tx, tutorId, studentId);
  const own = await studentChoiceOf(tx, tutorId, studentId).executeTakeFirst();
  const { lead, channels, recipient } = own ?? (await settingsIn(tx, tutorId));
  return { own: own !== undefined, lead, channels, recipient } as StudentReminders;
}

export async function changeStudentReminders(
  context: Context,
  tutorId: string,
  studentId: number,
  input: StudentReminders,
): Promise<StudentReminders> {
  const { own, lead, channels, recipient } = input;
  return context.db.withTutor(tutorId, async (tx) => {
    await studentInBook(tx, tutorId, studentId);
    await saveStudentChoice(tx, tutorId, studentId, own ? { lead, channels, recipient } : null);
    return choiceOf(tx, tutorId, studentId);
  });
}
