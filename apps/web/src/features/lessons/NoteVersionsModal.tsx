import type { SharedVersion } from '@lessonbook/contract/lesson-notes';
import { useQuery } from '@tanstack/react-query';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { type DateContext, formatTimestamp } from '../../lib/format-timestamp.ts';
import { formatNoteText } from './FamilyNoteFields.tsx';
import classes from './SessionFamilyNotesForm.module.css';
import { noteVersionsQuery } from './shared/lesson-notes-api.ts';

interface Props {
  id: number;
  studentId: number;
  dateContext: DateContext;
  opened: boolean;
  onClose: () => void;
}

/** What was shared with the family, and when. */
export function NoteVersionsModal({ id, studentId, dateContext, opened, onClose }: Props) {
  const versions = useQuery({ ...noteVersionsQuery(id, studentId), enabled: opened });
  return (
    <ResponsiveModal title="Shared versions" opened={opened} onClose={onClose}>
      {versions.isPending && <RowSkeleton rows={2} />}
      {versions.isError && (
        <LoadError onRetry={() => void versions.refetch()}>
          We couldn't load the versions.
        </LoadError>
      )}
      <ul className={classes.versions}>
        {versions.data?.map((version) => (
          <li key={version.version}>
            <small>{formatTimes(version, dateContext)}</small>
            {formatNoteText(version, dateContext.today)}
          </li>
        ))}
      </ul>
    </ResponsiveModal>
  );
}

function formatTimes({ sharedAt, withdrawnAt }: SharedVersion, dateContext: DateContext): string {
  const shared = `Shared ${formatTimestamp(sharedAt, dateContext)}`;
  return withdrawnAt ? `${shared}, withdrawn ${formatTimestamp(withdrawnAt, dateContext)}` : shared;
}
