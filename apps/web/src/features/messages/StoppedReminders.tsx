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
        {firstName(name)} has stopped {stopped}. Invoices and changes to lessons are still sent.
      </p>
    </Card>
  );
}

const LABELS: Record<ReminderKind, string> = {
  lesson_reminder: 'lesson reminders',
  payment_reminder: 'payment reminders',
};

/** 'payment reminders', or null if nothing was stopped. */
function formatStopped({ stoppedKinds, hasStoppedWhatsApp }: FamilyReminders): string | null {
  if (stoppedKinds.length > 1) return 'lesson and payment reminders';
  const [kind] = stoppedKinds;
  const whatsApp = hasStoppedWhatsApp ? 'WhatsApp reminders' : null;
  return [kind && LABELS[kind], whatsApp].filter(Boolean).join(' and ') || null;
}
