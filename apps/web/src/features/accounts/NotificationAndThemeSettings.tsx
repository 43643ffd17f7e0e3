import type { NotificationSettings } from '@lessonbook/contract/accounts';
import { Button, Switch } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { LazyMount } from '../../components/LazyMount.tsx';
import { LoadError } from '../../components/ListStates.tsx';
import { SettingsButton } from '../../components/SettingsRow.tsx';
import { themeLabels, useThemeChoice } from '../../lib/theme.ts';
import { notificationSettingsQuery, useLogout, useUpdateNotificationSettings } from './api.ts';
import classes from './NotificationAndThemeSettings.module.css';

const ThemeModal = lazy(async () => ({ default: (await import('./ThemeModal.tsx')).ThemeModal }));

export function ThemeSetting() {
  const [opened, setOpened] = useState(false);
  const [chosen] = useThemeChoice();
  return (
    <>
      <SettingsButton
        label="Theme Settings"
        value={themeLabels[chosen]}
        onClick={() => setOpened(true)}
      />
      <LazyMount opened={opened}>
        <ThemeModal opened={opened} onClose={() => setOpened(false)} />
      </LazyMount>
    </>
  );
}

export function LogoutButton() {
  const logout = useLogout();
  return (
    <Button
      variant="default"
      fullWidth
      leftSection={<IconLogout size={18} stroke={1.8} />}
      disabled={logout.isPending}
      onClick={() => logout.mutate()}
    >
      Logout
    </Button>
  );
}

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

export function NotificationSettingsList() {
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
            // The settings default to on, so they are shown as on while loading. They are enabled once loaded.
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
