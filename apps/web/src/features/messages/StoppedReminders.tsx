import type { FamilyReminders } from '@lessonbook/contract/email-preferences';
import type { ReminderKind } from '@lessonbook/contract/messages';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../../components/Card.tsx';
import { firstName } from '../../lib/format.ts';
import { familyRemindersQuery } from './api.ts';

/** Shown on the account of a family that has stopped reminders. */
export function StoppedReminders({ familyId, name }: { familyId: number; name: string }) {
  const { data } = useQuery(familyRemindersQuery(familyId));
  const stopped = data && formatStopped(data);
  if (!stopped) return null;
  return (
    <Card>
      <p role="note">
        {firstName(name)} has unsubscribed from {stopped}. Invoices and changes to lessons are still
        sent.
      </p>
    </Card>
  );
}

const LABELS: Record<ReminderKind, string> = {
  lesson_reminder: 'lesson reminders',
  payment_reminder: 'payment reminders',
  lesson_notes: 'emails with lesson notes',
};

/** 'payment reminders', or null if nothing was stopped. */
function formatStopped({ stoppedKinds, hasStoppedWhatsApp }: FamilyReminders): string | null {
  const reminders = stoppedKinds.filter((kind) => kind !== 'lesson_notes');
  const [kind] = reminders;
  const stopped = [
    reminders.length > 1 ? 'lesson and payment reminders' : kind && LABELS[kind],
    reminders.length < 2 && hasStoppedWhatsApp && 'WhatsApp reminders',
    stoppedKinds.includes('lesson_notes') && LABELS.lesson_notes,
  ];
  return stopped.filter(Boolean).join(' and ') || null;
}
