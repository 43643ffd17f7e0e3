import type { Scope } from '@lessonbook/contract/lessons';
import { SCOPES } from '@lessonbook/contract/lessons';
import { RadioRows } from '../../components/RadioRows.tsx';
import { count } from '../../lib/format.ts';

const labels: Record<Scope, string> = {
  this: 'Only this lesson',
  following: 'This and following',
  all: 'All lessons',
};

interface Props {
  chosen: Scope;
  onChoose: (scope: Scope) => void;
  /** In the order of the scopes; none while it is being counted. */
  counts: readonly (number | undefined)[];
  /** Why the first one cannot be chosen. */
  onlyThis?: string;
}

export function ScopeRows({ chosen, onChoose, counts, onlyThis }: Props) {
  const rows = SCOPES.map((scope, index) => {
    const number = counts[index];
    const blocked = scope === 'this' ? onlyThis : undefined;
    return {
      value: scope,
      label: labels[scope],
      aside: number === undefined ? '' : count(number, 'lesson'),
      hint: blocked,
      disabled: blocked !== undefined,
    };
  });
  return <RadioRows legend="This lesson repeats" rows={rows} chosen={chosen} onChoose={onChoose} />;
}
