import type { Consequences } from '@lessonbook/contract/lessons';
import type { UseQueryResult } from '@tanstack/react-query';
import { Consequence } from '../../components/Consequence.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { failureText } from '../../lib/query.ts';
import { useToday } from '../accounts/api.ts';
import classes from './ConsequenceBox.module.css';
import { affected, type Verb, whatHappens, whatStays } from './consequence-words.ts';
import { OverlapDates } from './OverlapNotice.tsx';

interface Props {
  verb: Verb;
  preview: UseQueryResult<Consequences> | undefined;
}

/** Before something that touches several lessons: what changes, what stays and why, what stands in the way. */
export function ConsequenceBox({ verb, preview }: Props) {
  if (preview?.isError) {
    const words = { errorFallback: 'What would happen could not be worked out.' };
    return (
      <LoadError onRetry={() => void preview.refetch()}>
        {failureText(preview.error, words)}
      </LoadError>
    );
  }
  return (
    <div className={classes.place}>
      <Consequence busy={preview?.isPending}>
        {preview?.data ? (
          <Words verb={verb} consequences={preview.data} />
        ) : (
          <p className={classes.quiet}>Counting...</p>
        )}
      </Consequence>
    </div>
  );
}

function Words({ verb, consequences }: { verb: Verb; consequences: Consequences }) {
  const today = useToday();
  const { overlaps } = consequences;
  const stays = whatStays(consequences);
  return (
    <>
      {affected(consequences) === 0 && <p>Nothing to {verb} here.</p>}
      {whatHappens(verb, consequences, today).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {stays && <p className={classes.quiet}>{stays}</p>}
      {overlaps.length > 0 && (
        <div className={classes.clashes}>
          <p>At the same time as:</p>
          <OverlapDates overlaps={overlaps} />
        </div>
      )}
    </>
  );
}
