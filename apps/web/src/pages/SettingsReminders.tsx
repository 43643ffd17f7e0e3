import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Card } from '../components/Card.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { remindersQuery } from '../features/reminders/api.ts';
import { ReminderStatusCard } from '../features/reminders/ReminderStatusCard.tsx';

/* Lazy, so that the status card is shown before the fields and their selects have loaded. */
const ReminderSettingsForm = lazy(async () => ({
  default: (await import('../features/reminders/ReminderSettingsForm.tsx')).ReminderSettingsForm,
}));
const WhatsAppConsents = lazy(async () => ({
  default: (await import('../features/whatsapp/WhatsAppConsents.tsx')).WhatsAppConsents,
}));
const TemplateEditor = lazy(async () => ({
  default: (await import('../features/reminders/MessageTemplateEditor.tsx')).MessageTemplateEditor,
}));

export function SettingsRemindersPage() {
  const tutor = useTutor();
  const reminders = useQuery(remindersQuery);
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings' }, label: 'Back to settings' }} />
      {reminders.data ? (
        <>
          <ReminderStatusCard state={reminders.data} dateContext={tutor} />
          <Suspense fallback={<Loading />}>
            <Card>
              <ReminderSettingsForm state={reminders.data} />
            </Card>
            {reminders.data.whatsAppAutomatic && <WhatsAppConsents dateContext={tutor} />}
            <TemplateEditor state={reminders.data} />
          </Suspense>
        </>
      ) : reminders.isError ? (
        <Card>
          <LoadError onRetry={() => void reminders.refetch()}>
            Your reminders could not be loaded.
          </LoadError>
        </Card>
      ) : (
        <Loading />
      )}
    </NarrowContainer>
  );
}

const Loading = () => (
  <Card>
    <RowSkeleton rows={5} />
  </Card>
);
