import type { MessageKind } from '@lessonbook/contract/messages';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { LoadError } from '../../components/LoadError.tsx';
import { templatePreviewQuery } from './api.ts';
import classes from './Reminders.module.css';

interface Props {
  kind: MessageKind;
  subject: string;
  text: string;
}

/** A pause in typing, not each letter. */
const PAUSE_MS = 400;

/** How it would read, for a family that everybody can picture. */
export function TemplatePreview(words: Props) {
  const [asked] = useDebouncedValue(words, PAUSE_MS);
  const preview = useQuery({
    ...templatePreviewQuery(asked),
    placeholderData: keepPreviousData,
  });
  if (preview.isError && !preview.data) {
    return (
      <LoadError onRetry={() => void preview.refetch()}>The preview could not be loaded.</LoadError>
    );
  }
  return (
    <section className={classes.preview} aria-label="Preview" aria-busy={preview.isFetching}>
      <h4>{preview.data?.subject ?? 'Preview'}</h4>
      {/* Without scripts, forms and ways out: what was typed is shown and does nothing. */}
      <iframe
        className={classes.letter}
        title="How the e-mail reads"
        sandbox=""
        srcDoc={preview.data?.html ?? ''}
      />
    </section>
  );
}
