import type { MessagePreview } from '@lessonbook/contract/messages';
import type { UseQueryResult } from '@tanstack/react-query';
import { LoadError, RowSkeleton } from '../../../components/ListStates.tsx';
import classes from './EmailPreview.module.css';

interface Props {
  /** 'Preview email to Ruth Hale' */
  summary: string;
  preview: UseQueryResult<MessagePreview>;
}

/** The text of an email, collapsed until the tutor opens it. */
export function EmailPreview({ summary, preview }: Props) {
  return (
    <details className={classes.email}>
      <summary>{summary}</summary>
      {preview.data ? (
        <div>
          <b>{preview.data.subject}</b>
          <p>{preview.data.text}</p>
        </div>
      ) : preview.isError ? (
        <LoadError onRetry={() => void preview.refetch()}>We couldn't load the text.</LoadError>
      ) : (
        <RowSkeleton rows={2} />
      )}
    </details>
  );
}
