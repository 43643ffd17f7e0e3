import type { NotificationSettings } from '@lessonbook/contract/accounts';
import { Button, Switch, type SwitchProps } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Avatar } from '../components/Avatar.tsx';
import { Card } from '../components/Card.tsx';
import { LazyMount } from '../components/LazyMount.tsx';
import { LoadError, RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { SettingsButton, SettingsLink } from '../components/SettingsRow.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import {
  notificationSettingsQuery,
  useLogout,
  useUpdateNotificationSettings,
} from '../features/accounts/api.ts';
import { formatTrialNote } from '../features/accounts/trial-note.ts';
import { policyQuery } from '../features/lessons/cancellation-policy-api.ts';
import { formatPolicyShort } from '../features/lessons/cancellation-policy-format.ts';
import { setOfflineOwner, useOfflineOwner } from '../lib/offline-owner.ts';
import { disableOffline } from '../lib/offline-store.ts';
import { themeLabels, useThemeChoice } from '../lib/theme.ts';
import classes from './Settings.module.css';

/** Lazy, because it is below the fold and large. */
const CalendarIntegration = lazy(async () => ({
  default: (await import('../features/calendar/CalendarIntegration.tsx')).CalendarIntegration,
}));

export function SettingsPage() {
  const tutor = useTutor();
  const policy = useQuery(policyQuery);
  return (
    <NarrowContainer>
      <PageHeader />
      <ProfileSummary />
      <Card heading="Account">
        <PageLinks card="Account" />
      </Card>
      <Card heading="Teaching">
        <PageLinks
          card="Teaching"
          values={{
            '/settings/cancellation-policy': policy.data && formatPolicyShort(policy.data.current),
          }}
        />
      </Card>
      <Card heading="Calendar Integration">
        <Suspense fallback={<RowSkeleton rows={3} />}>
          <CalendarIntegration dateContext={tutor} />
        </Suspense>
      </Card>
      <Card heading="Notifications">
        <NotificationSettingsList />
      </Card>
      <Card heading="App Settings">
        <ThemeSetting />
        <OfflineToggle tutorId={tutor.id} />
      </Card>
      <LogoutButton />
    </NarrowContainer>
  );
}

interface PageLinksProps {
  card: 'Account' | 'Teaching';
  /** The current settings, by path. */
  values?: Record<string, string | undefined>;
}

/** Links to the pages whose route has this card in its static data. */
function PageLinks({ card, values = {} }: PageLinksProps) {
  const { routesByPath } = useRouter();
  return Object.values(routesByPath).map(({ fullPath, options: { staticData } }) => {
    if (staticData?.settings?.card !== card) return null;
    const label = staticData.settings.label ?? staticData.title ?? '';
    const value = values[fullPath];
    return <SettingsLink key={fullPath} to={fullPath} label={label} {...(value && { value })} />;
  });
}

function ProfileSummary() {
  const tutor = useTutor();
  const name = tutor.name || 'User';
  return (
    <div className={classes.identity}>
      <Avatar initials={name.charAt(0).toUpperCase()} size="large" />
      <div className={classes.profile}>
        <p className={classes.name}>{name}</p>
        <p className={classes.email}>{tutor.email}</p>
        <p className={classes.trial}>{formatTrialNote(tutor.trialDaysLeft)}</p>
      </div>
    </div>
  );
}

/**
 * Turning the switch on saves this tutor as the device's offline owner, and the app shell then starts syncing. Turning it
 * off clears the data immediately.
 */
function OfflineToggle({ tutorId }: { tutorId: string }) {
  const isEnabled = useOfflineOwner() === tutorId;
  return (
    <SettingsSwitch
      className={classes.offline}
      label="This is my own device"
      description="Saves the next 14 days of lessons (times, first names and subjects) and balances in this browser, so you can read them offline. Contacts and notes aren't saved. The saved lessons and balances are deleted when you log out or your login expires, when someone else logs in here, when you switch this off, and after 7 days without a connection."
      checked={isEnabled}
      onChange={(event) => {
        if (event.currentTarget.checked) setOfflineOwner(tutorId);
        else void disableOffline();
      }}
    />
  );
}

const ThemeModal = lazy(async () => ({
  default: (await import('../features/accounts/ThemeModal.tsx')).ThemeModal,
}));

function ThemeSetting() {
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

function LogoutButton() {
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
    description: 'An email for each new notification. Security emails are always sent',
  },
  {
    name: 'lessonReminders',
    label: 'Lesson Reminders',
    description: "Sent to families before lessons, once you've turned reminders on",
  },
  {
    name: 'paymentNotifications',
    label: 'Payment Notifications',
    description: 'When a payment is received, is reported or fails',
  },
] as const satisfies { name: keyof NotificationSettings; label: string; description: string }[];

function NotificationSettingsList() {
  const settings = useQuery(notificationSettingsQuery);
  const update = useUpdateNotificationSettings();

  if (settings.isError && !settings.data) {
    return (
      <LoadError onRetry={() => void settings.refetch()}>
        We couldn't load your notification settings.
      </LoadError>
    );
  }

  const current = settings.data;
  return (
    <ul className={classes.switches} aria-busy={!current}>
      {switches.map(({ name, label, description }) => (
        <li key={name}>
          <SettingsSwitch
            label={label}
            description={description}
            // The settings default to on and are shown as on while loading. The switches work once the settings have loaded.
            checked={current?.[name] ?? true}
            disabled={!current}
            onChange={(event) =>
              current && update.mutate({ ...current, [name]: event.currentTarget.checked })
            }
          />
        </li>
      ))}
    </ul>
  );
}

function SettingsSwitch(props: SwitchProps) {
  return (
    <Switch
      size="md"
      labelPosition="left"
      withThumbIndicator={false}
      classNames={{ body: classes.switch ?? '', labelWrapper: classes.switchLabel ?? '' }}
      {...props}
    />
  );
}
