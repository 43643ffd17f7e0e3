import type { RowOf } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';

export const reminderSettingsByTutor = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('reminder_settings')
    .where('tutor_id', '=', tutorId)
    .select([
      'enabled_at as enabledAt',
      'lead_minutes as leadMinutes',
      'channels',
      'recipient',
      'overdue_enabled as overdueEnabled',
      'overdue_days as overdueDays',
      'templates',
    ]);

export type SettingsRecord = RowOf<ReturnType<typeof reminderSettingsByTutor>>;

export async function saveReminderSettings(
  tx: Tx,
  tutorId: string,
  settings: Omit<SettingsRecord, 'templates'> & { templates: string },
): Promise<void> {
  const columns = {
    enabled_at: settings.enabledAt,
    lead_minutes: settings.leadMinutes,
    channels: settings.channels,
    recipient: settings.recipient,
    overdue_enabled: settings.overdueEnabled,
    overdue_days: settings.overdueDays,
    templates: settings.templates,
  };
  await tx
    .insertInto('reminder_settings')
    .values({ tutor_id: tutorId, ...columns })
    .onConflict((conflict) => conflict.column('tutor_id').doUpdateSet(columns))
    .execute();
}

export const reminderPreferencesByStudent = (tx: Tx, tutorId: string, studentId: number) =>
  tx
    .selectFrom('student_reminders')
    .where('tutor_id', '=', tutorId)
    .where('student_id', '=', studentId)
    .select(['lead_minutes as leadMinutes', 'channels', 'recipient']);

export async function saveStudentPreferences(
  tx: Tx,
  tutorId: string,
  studentId: number,
  preferences: { leadMinutes: number | null; channels: string[]; recipient: string } | null,
): Promise<void> {
  if (preferences === null) {
    await tx
      .deleteFrom('student_reminders')
      .where('tutor_id', '=', tutorId)
      .where('student_id', '=', studentId)
      .execute();
    return;
  }
  const columns = {
    lead_minutes: preferences.leadMinutes,
    channels: preferences.channels,
    recipient: preferences.recipient,
  };
  await tx
    .insertInto('student_reminders')
    .values({ tutor_id: tutorId, student_id: studentId, ...columns })
    .onConflict((conflict) => conflict.columns(['tutor_id', 'student_id']).doUpdateSet(columns))
    .execute();
}
