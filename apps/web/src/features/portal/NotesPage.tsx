import type { PortalTutor } from '@lessonbook/contract/portal';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { PortalHeader, type PortalNavigation } from './PortalHeader.tsx';
import { PortalError, PortalLayout, PortalLoading } from './PortalLayout.tsx';

interface Props {
  tutor: PortalTutor;
  navigation: PortalNavigation;
}

/** Loaded when the page is opened. A query, so that a failed load can be retried. */
const notesComponentQuery = queryOptions({
  queryKey: ['portal-notes'],
  queryFn: async () => (await import('./PortalNotes.tsx')).PortalNotes,
});

export function NotesPage({ tutor, navigation }: Props) {
  const { data: PortalNotes, error, refetch } = useQuery(notesComponentQuery);
  return (
    <PortalLayout title="Notes" header={<PortalHeader {...navigation} />}>
      {PortalNotes && <PortalNotes tutor={tutor} />}
      {!PortalNotes && error && <PortalError error={error} onRetry={() => void refetch()} />}
      {!PortalNotes && !error && <PortalLoading />}
    </PortalLayout>
  );
}
