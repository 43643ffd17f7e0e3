import { lazy, Suspense } from 'react';
import { Avatar } from '../components/Avatar.tsx';
import { Card } from '../components/Card.tsx';
import { RowSkeleton } from '../components/ListStates.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayout.tsx';
import { SettingsLink } from '../components/SettingsRow.tsx';
import { useTutor } from '../features/accounts/AuthProvider.tsx';
import {
  LogoutButton,
  NotificationSettingsList,
  ThemeSetting,
} from '../features/accounts/NotificationAndThemeSettings.tsx';
import { formatTrialNote } from '../features/accounts/trial-note.ts';
import { CancellationPolicySetting } from '../features/lessons/CancellationPolicySetting.tsx';
import { OfflineToggle } from '../features/offline/OfflineToggle.tsx';
import classes from './Settings.module.css';

/** Lazy, because it is below the fold and large. */
const CalendarIntegration = lazy(async () => ({
  default: (await import('../features/calendar/CalendarIntegration.tsx')).CalendarIntegration,
}));

export function SettingsPage() {
  const tutor = useTutor();
  return (
    <NarrowContainer>
      <PageHeader title="Settings" />
      <ProfileSummary />
      <Card heading="Account">
        <SettingsLink to="/profile-edit" label="Edit Profile" />
        <SettingsLink to="/settings/security" label="Security" />
        <SettingsLink to="/settings/business" label="Business" />
        <SettingsLink to="/payment-methods" label="Payment Methods" />
        <SettingsLink to="/families" label="Family accounts" />
        <SettingsLink to="/settings/activity" label="Activity" />
        <SettingsLink to="/settings/your-data" label="Your data" />
      </Card>
      <Card heading="Teaching">
        <CancellationPolicySetting />
        <SettingsLink to="/settings/time-off" label="Time off" />
        <SettingsLink to="/settings/reminders" label="Reminders" />
        <SettingsLink to="/messages" label="Messages" />
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
