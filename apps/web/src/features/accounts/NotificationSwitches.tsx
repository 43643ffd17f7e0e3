import type { NotificationSettings } from '@lessonbook/contract/accounts';
import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../../components/LoadError.tsx';
import { notificationSettingsQuery, useUpdateNotificationSettings } from './api.ts';
import classes from './NotificationSwitches.module.css';

const switches = [
  {
    name: 'emailNotifications',
    label: 'Email Notifications',
    description: 'Mail to you about your account and your book',
  },
  {
    name: 'lessonReminders',
    label: 'Lesson Reminders',
    description: 'Automatic reminders to families',
  },
  {
    name: 'paymentNotifications',
    label: 'Payment Notifications',
    description: 'News of money received',
  },
] as const satisfies { name: keyof NotificationSettings; label: string; description: string }[];

export function NotificationSwitches() {
  const settings = useQuery(notificationSettingsQuery);
  const update = useUpdateNotificationSettings();

  if (settings.isError && !settings.data) {
    return (
      <LoadError onRetry={() => void settings.refetch()}>
        Your notification settings could not be loaded.
      </LoadError>
    );
  }

  const current = settings.data;
  return (
    <ul className={classes.list} aria-busy={!current}>
      {switches.map(({ name, label, description }) => (
        <li key={name}>
          <Switch
            size="md"
            label={label}
            description={description}
            labelPosition="left"
            withThumbIndicator={false}
            // They are on by default, so they stand so while loading; they can be moved once we know.
            checked={current?.[name] ?? true}
            disabled={!current}
            classNames={{ body: classes.body ?? '', labelWrapper: classes.label ?? '' }}
            onChange={(event) =>
              current && update.mutate({ ...current, [name]: event.currentTarget.checked })
            }
          />
        </li>
      ))}
    </ul>
  );
}
