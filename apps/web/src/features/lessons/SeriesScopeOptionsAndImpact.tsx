import { type ChangeSummary, SCOPES, type Scope } from '@lessonbook/contract/lessons';
import type { UseQueryResult } from '@tanstack/react-query';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { LoadError } from '../../components/ListStates.tsx';
import { RadioList } from '../../components/RadioList.tsx';
import { pluralize } from '../../lib/format.ts';
import { getErrorMessage } from '../../lib/query-client.ts';
import { useToday } from '../accounts/api.ts';
import {
  type ChangeVerb,
  countAffectedLessons,
  formatChanges,
  formatSkipped,
  formatUnchanged,
  type Recurrence,
} from './lesson-change-format.ts';
import { OverlapList } from './OverlapAndConflictWarnings.tsx';
import classes from './SeriesScopeOptionsAndImpact.module.css';

const labels: Record<Scope, string> = {
  this: 'Only this lesson',
  following: 'This and following',
  all: 'All lessons',
};

interface SeriesScopeOptionsProps {
  chosen: Scope;
  onChoose: (scope: Scope) => void;
  /** In the order of SCOPES; undefined while loading. */
  counts: readonly (number | undefined)[];
  /** Why 'only this lesson' cannot be chosen. */
  blockedReason?: string;
}

export function SeriesScopeOptions({
  chosen,
  onChoose,
  counts,
  blockedReason,
}: SeriesScopeOptionsProps) {
  const rows = SCOPES.map((scope, index) => {
    const count = counts[index];
    const hint = scope === 'this' ? blockedReason : undefined;
    return {
      value: scope,
      label: labels[scope],
      aside: count === undefined ? '' : pluralize(count, 'lesson'),
      hint,
      disabled: hint !== undefined,
    };
  });
  return (
    <RadioList legend="This lesson repeats" options={rows} chosen={chosen} onChoose={onChoose} />
  );
}

interface Props {
  verb: ChangeVerb;
  preview: UseQueryResult<ChangeSummary> | undefined;
  /** How the series repeats after the change, which explains why lessons are removed. */
  recurrence?: Recurrence;
}

/** Preview of a change to several lessons: what changes, what stays the same and why, and any overlaps. */
export function ChangeImpact({ verb, preview, recurrence }: Props) {
  if (preview?.isError) {
    const options = { errorFallback: "We couldn't work out what would change." };
    return (
      <LoadError onRetry={() => void preview.refetch()}>
        {getErrorMessage(preview.error, options)}
      </LoadError>
    );
  }
  return (
    <div className={classes.impact}>
      <ImpactNotice busy={preview?.isPending}>
        {preview?.data ? (
          <ImpactText verb={verb} summary={preview.data} recurrence={recurrence} />
        ) : (
          <p className={classes.muted}>Counting...</p>
        )}
      </ImpactNotice>
    </div>
  );
}

interface ImpactTextProps {
  verb: ChangeVerb;
  summary: ChangeSummary;
  recurrence: Recurrence | undefined;
}

function ImpactText({ verb, summary, recurrence }: ImpactTextProps) {
  const today = useToday();
  const { overlaps } = summary;
  const unchanged = formatUnchanged(summary);
  return (
    <>
      {countAffectedLessons(summary) === 0 && <p>Nothing to {verb} here.</p>}
      {formatChanges(verb, summary, today, recurrence).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {formatSkipped(summary, today).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {unchanged && <p className={classes.muted}>{unchanged}</p>}
      {overlaps.length > 0 && (
        <div className={classes.overlaps}>
          <p>At the same time as:</p>
          <OverlapList overlaps={overlaps} />
        </div>
      )}
    </>
  );
}
