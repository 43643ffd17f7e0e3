import type { PortalLogin, PortalTutor } from '@lessonbook/contract/portal';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PortalHeader, type PortalNavigation } from './PortalHeader.tsx';
import { PortalLayout } from './PortalLayout.tsx';
import { PortalError, PortalLoading } from './PortalLoadStates.tsx';

interface Props {
  login: PortalLogin;
  /** Whose contact details are shown; null for a person who has to choose a tutor. */
  tutor: PortalTutor | null;
  navigation: PortalNavigation;
  signOutButton: ReactNode;
}

/** Loaded when the page is opened. A query, so that a failed load can be retried. */
const detailsComponentQuery = queryOptions({
  queryKey: ['portal-details'],
  queryFn: async () => (await import('./ContactDetailsContent.tsx')).ContactDetailsContent,
});

export function ContactDetailsPage({ login, tutor, navigation, signOutButton }: Props) {
  const { data: ContactDetailsContent, error, refetch } = useQuery(detailsComponentQuery);
  return (
    <PortalLayout title="Details" header={<PortalHeader {...navigation} />}>
      {ContactDetailsContent && <ContactDetailsContent login={login} tutor={tutor} />}
      {!ContactDetailsContent && error && (
        <PortalError error={error} onRetry={() => void refetch()} />
      )}
      {!ContactDetailsContent && !error && <PortalLoading />}
      {signOutButton}
    </PortalLayout>
  );
}
