import { useRouter } from '@tanstack/react-router';
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
      <PageHeader />
      <ProfileSummary />
      <Card heading="Account">
        <PageLinks card="Account" />
      </Card>
      <Card heading="Teaching">
        <CancellationPolicySetting />
        <PageLinks card="Teaching" />
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

/** Links to the pages whose routes name this card. */
function PageLinks({ card }: { card: 'Account' | 'Teaching' }) {
  const { routesByPath } = useRouter();
  return Object.values(routesByPath).map(({ fullPath, options: { staticData } }) => {
    if (staticData?.settings?.card !== card) return null;
    const label = staticData.settings.label ?? staticData.title ?? '';
    return <SettingsLink key={fullPath} to={fullPath} label={label} />;
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
