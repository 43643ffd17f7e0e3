import type { ReminderState } from '@lessonbook/contract/reminder-settings';
import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import { notificationSettingsQuery } from '../accounts/api.ts';
import { useStopReminders } from './api.ts';
import classes from './Reminders.module.css';

const StartRemindersModal = lazy(async () => ({
  default: (await import('./StartRemindersModal.tsx')).StartRemindersModal,
}));

/** Automatic reminders start only once the tutor has seen the first ones. */
export function ReminderStatusCard({
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
            <p>Reminders are off. You'll see every message before anything is sent.</p>
            <Button onClick={() => setPreviewOpened(true)}>Start reminders</Button>
          </>
        )}
      </div>
      {notificationSettings && !notificationSettings.lessonReminders && (
        <p className={classes.warning}>
          Lesson Reminders are switched off in <Link to="/settings">Settings</Link>, so none go out
          before a lesson.
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
