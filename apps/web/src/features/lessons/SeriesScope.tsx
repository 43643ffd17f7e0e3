import { type ChangeSummary, SCOPES, type Scope } from '@lessonbook/contract/lessons';
import type { UseQueryResult } from '@tanstack/react-query';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { LoadError } from '../../components/ListStates.tsx';
import { RadioList } from '../../components/RadioList.tsx';
import { pluralize } from '../../lib/format.ts';
import { errorMessage } from '../../lib/query.ts';
import { useToday } from '../accounts/api.ts';
import { affectedCount, type ChangeVerb, formatChanges, formatUnchanged } from './lesson-format.ts';
import { OverlapList } from './Overlaps.tsx';
import classes from './SeriesScope.module.css';

const labels: Record<Scope, string> = {
  this: 'Only this lesson',
  following: 'This and following',
  all: 'All lessons',
};

interface SeriesScopeOptionsProps {
  chosen: Scope;
  onChoose: (scope: Scope) => void;
  /** In the order of the scopes; none while it is being counted. */
  counts: readonly (number | undefined)[];
  /** Why the first one cannot be chosen. */
  onlyThis?: string;
}

export function SeriesScopeOptions({
  chosen,
  onChoose,
  counts,
  onlyThis,
}: SeriesScopeOptionsProps) {
  const rows = SCOPES.map((scope, index) => {
    const number = counts[index];
    const blocked = scope === 'this' ? onlyThis : undefined;
    return {
      value: scope,
      label: labels[scope],
      aside: number === undefined ? '' : pluralize(number, 'lesson'),
      hint: blocked,
      disabled: blocked !== undefined,
    };
  });
  return (
    <RadioList legend="This lesson repeats" options={rows} chosen={chosen} onChoose={onChoose} />
  );
}

interface Props {
  verb: ChangeVerb;
  preview: UseQueryResult<ChangeSummary> | undefined;
}

/** Before something that touches several lessons: what changes, what stays and why, what stands in the way. */
export function ChangeImpact({ verb, preview }: Props) {
  if (preview?.isError) {
    const words = { errorFallback: 'What would happen could not be worked out.' };
    return (
      <LoadError onRetry={() => void preview.refetch()}>
        {errorMessage(preview.error, words)}
      </LoadError>
    );
  }
  return (
    <div className={classes.place}>
      <ImpactNotice busy={preview?.isPending}>
        {preview?.data ? (
          <ImpactText verb={verb} consequences={preview.data} />
        ) : (
          <p className={classes.quiet}>Counting...</p>
        )}
      </ImpactNotice>
    </div>
  );
}

function ImpactText({ verb, consequences }: { verb: ChangeVerb; consequences: ChangeSummary }) {
  const today = useToday();
  const { overlaps } = consequences;
  const stays = formatUnchanged(consequences);
  return (
    <>
      {affectedCount(consequences) === 0 && <p>Nothing to {verb} here.</p>}
      {formatChanges(verb, consequences, today).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {stays && <p className={classes.quiet}>{stays}</p>}
      {overlaps.length > 0 && (
        <div className={classes.clashes}>
          <p>At the same time as:</p>
          <OverlapList overlaps={overlaps} />
        </div>
      )}
    </>
  );
}
