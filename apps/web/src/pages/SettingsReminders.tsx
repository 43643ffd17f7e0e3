import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Column } from '../components/Column.tsx';
import { LoadError } from '../components/LoadError.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { RowSkeleton } from '../components/RowSkeleton.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { remindersQuery } from '../features/reminders/api.ts';
import { StartReminders } from '../features/reminders/StartReminders.tsx';

/* The fields with their lists of choices come while the first lines are read. */
const ReminderFields = lazy(async () => ({
  default: (await import('../features/reminders/ReminderFields.tsx')).ReminderFields,
}));
const Consents = lazy(async () => ({
  default: (await import('../features/whatsapp/Consents.tsx')).Consents,
}));
const Templates = lazy(async () => ({
  default: (await import('../features/reminders/Templates.tsx')).Templates,
}));

export function SettingsRemindersPage() {
  const tutor = useTutor();
  const reminders = useQuery(remindersQuery);
  return (
    <Column>
      <PageHeader
        title="Reminders"
        back={{ link: { to: '/settings' }, label: 'Back to settings' }}
      />
      {reminders.data ? (
        <>
          <StartReminders state={reminders.data} wall={tutor} />
          <Suspense fallback={<Loading />}>
            <Sheet>
              <ReminderFields state={reminders.data} />
            </Sheet>
            {reminders.data.whatsAppByItself && <Consents wall={tutor} />}
            <Templates state={reminders.data} />
          </Suspense>
        </>
      ) : reminders.isError ? (
        <Sheet>
          <LoadError onRetry={() => void reminders.refetch()}>
            Your reminders could not be loaded.
          </LoadError>
        </Sheet>
      ) : (
        <Loading />
      )}
    </Column>
  );
}

const Loading = () => (
  <Sheet>
    <RowSkeleton rows={5} />
  </Sheet>
);
