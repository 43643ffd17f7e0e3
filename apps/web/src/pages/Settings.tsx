import { lazy, Suspense } from 'react';
import { Avatar } from '../components/Avatar.tsx';
import { Column } from '../components/Column.tsx';
import { PageHeader } from '../components/PageHeader.tsx';
import { RowSkeleton } from '../components/RowSkeleton.tsx';
import { SettingsLink } from '../components/SettingsRow.tsx';
import { Sheet } from '../components/Sheet.tsx';
import { useTutor } from '../features/accounts/auth.tsx';
import { LogoutButton } from '../features/accounts/LogoutButton.tsx';
import { NotificationSwitches } from '../features/accounts/NotificationSwitches.tsx';
import { ThemeSettings } from '../features/accounts/ThemeSettings.tsx';
import { trialNote } from '../features/accounts/trial.ts';
import { PolicySettings } from '../features/lessons/PolicySettings.tsx';
import { OwnDevice } from '../features/offline/OwnDevice.tsx';
import classes from './Settings.module.css';

/** Below the fold, and large with what it knows about lessons. */
const CalendarIntegration = lazy(async () => ({
  default: (await import('../features/calendar/CalendarIntegration.tsx')).CalendarIntegration,
}));

export function SettingsPage() {
  const tutor = useTutor();
  return (
    <Column>
      <PageHeader title="Settings" />
      <Identity />
      <Sheet heading="Account">
        <SettingsLink to="/profile-edit" label="Edit Profile" />
        <SettingsLink to="/settings/security" label="Security" />
        <SettingsLink to="/settings/business" label="Business" />
        <SettingsLink to="/payment-methods" label="Payment Methods" />
        <SettingsLink to="/families" label="Family accounts" />
        <SettingsLink to="/settings/activity" label="Activity" />
        <SettingsLink to="/settings/your-data" label="Your data" />
      </Sheet>
      <Sheet heading="Teaching">
        <PolicySettings />
        <SettingsLink to="/settings/time-off" label="Time off" />
        <SettingsLink to="/settings/reminders" label="Reminders" />
        <SettingsLink to="/messages" label="Messages" />
      </Sheet>
      <Sheet heading="Calendar Integration">
        <Suspense fallback={<RowSkeleton rows={3} />}>
          <CalendarIntegration wall={tutor} />
        </Suspense>
      </Sheet>
      <Sheet heading="Notifications">
        <NotificationSwitches />
      </Sheet>
      <Sheet heading="App Settings">
        <ThemeSettings />
        <OwnDevice tutorId={tutor.id} />
      </Sheet>
      <LogoutButton />
    </Column>
  );
}

function Identity() {
  const tutor = useTutor();
  const name = tutor.name || 'User';
  return (
    <div className={classes.identity}>
      <Avatar letters={name.charAt(0).toUpperCase()} size="large" />
      <div className={classes.who}>
        <p className={classes.name}>{name}</p>
        <p className={classes.email}>{tutor.email}</p>
        <p className={classes.trial}>{trialNote(tutor.trialDaysLeft)}</p>
      </div>
    </div>
  );
}
