import type { ReminderState } from '@lessonbook/contract/reminder-settings';
import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Card } from '../components/Card.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import { notificationSettingsQuery } from '../features/accounts/api.ts';
import { remindersQuery, useStopReminders } from '../features/reminders/api.ts';
import classes from '../features/reminders/Reminders.module.css';
import { type DateContext, formatTimestamp } from '../lib/format-timestamp.ts';

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
            We couldn't load your reminder settings.
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

const StartRemindersModal = lazy(async () => ({
  default: (await import('../features/reminders/StartRemindersModal.tsx')).StartRemindersModal,
}));

/** Automatic reminders start only once the tutor has previewed the first ones. */
function ReminderStatusCard({
  state,
  dateContext,
}: {
  state: ReminderState;
  dateContext: DateContext;
}) {
  const [previewOpened, setPreviewOpened] = useState(false);
  const stop = useStopReminders();
  const { data: notificationSettings } = useQuery(notificationSettingsQuery);
  return (
    <Card>
      <div className={classes.state}>
        {state.enabledAt ? (
          <>
            <p className={classes.on}>
              <IconCheck size={18} stroke={2.6} />
              On since {formatTimestamp(state.enabledAt, dateContext)}
            </p>
            <Button variant="default" disabled={stop.isPending} onClick={() => stop.mutate()}>
              {stop.isPending ? 'Stopping...' : 'Stop reminders'}
            </Button>
          </>
        ) : (
          <>
            <p>
              Reminders are off. When you start them, you'll see the messages for the next few days
              first.
            </p>
            <Button onClick={() => setPreviewOpened(true)}>Start reminders</Button>
          </>
        )}
      </div>
      {notificationSettings && !notificationSettings.lessonReminders && (
        <p className={classes.warning}>
          Lesson reminders are switched off in <Link to="/settings">Settings</Link>, so none are
          sent before lessons.
        </p>
      )}
      <LazyMount opened={previewOpened}>
        <StartRemindersModal
          opened={previewOpened}
          onClose={() => setPreviewOpened(false)}
          dateContext={dateContext}
        />
      </LazyMount>
    </Card>
  );
}
