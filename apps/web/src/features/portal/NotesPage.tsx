import type { PortalTutor } from '@lessonbook/contract/portal';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { PortalHeader, type PortalNavigation } from './PortalHeader.tsx';
import { PortalLayout } from './PortalLayout.tsx';
import { PortalError, PortalLoading } from './PortalLoadStates.tsx';

interface Props {
  tutor: PortalTutor;
  navigation: PortalNavigation;
}

/** Loaded when the page is opened. A query, so that a failed load can be retried. */
const notesComponentQuery = queryOptions({
  queryKey: ['portal-notes'],
  queryFn: async () => (await import('./PortalNotesAndHomework.tsx')).PortalNotesAndHomework,
});

export function NotesPage({ tutor, navigation }: Props) {
  const { data: PortalNotesAndHomework, error, refetch } = useQuery(notesComponentQuery);
  return (
    <PortalLayout title="Notes" header={<PortalHeader {...navigation} />}>
      {PortalNotesAndHomework && <PortalNotesAndHomework tutor={tutor} />}
      {!PortalNotesAndHomework && error && (
        <PortalError error={error} onRetry={() => void refetch()} />
      )}
      {!PortalNotesAndHomework && !error && <PortalLoading />}
    </PortalLayout>
  );
}
