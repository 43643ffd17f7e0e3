import type { ImportKind, ImportPreview, ImportRow } from '@lessonbook/contract/import';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { CheckField } from '../../components/CheckField.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { count } from '../../lib/format.ts';
import { useNamedAttempts } from '../../lib/named-attempts.ts';
import { useImport } from './api.ts';
import classes from './Import.module.css';

interface Props {
  kind: ImportKind;
  name: string;
  text: string;
  preview: ImportPreview;
  onBack: () => void;
}

const WORDS: Record<ImportRow['state'], string> = {
  new: 'New',
  there: 'Already there',
  wrong: 'To mend',
};

export function PreviewSheet({ kind, name, text, preview, onBack }: Props) {
  const [accepted, setAccepted] = useState(false);
  const bring = useImport();
  const attempts = useNamedAttempts();
  const navigate = useNavigate();
  const { rows, unknownColumns, overlapping } = preview;
  const of = (state: ImportRow['state']) => rows.filter((row) => row.state === state).length;
  const [fresh, wrong] = [of('new'), of('wrong')];
  const thing = kind === 'students' ? 'student' : 'lesson';

  function save() {
    const input = { kind, text, acceptOverlaps: accepted };
    bring.mutate(
      { ...input, attempt: attempts.nameOf(input) },
      {
        onSuccess: () =>
          void navigate({
            to: '/schedule',
            search: kind === 'students' ? { view: 'students' } : {},
          }),
      },
    );
  }

  return (
    <Sheet heading={name}>
      <p className={classes.summary} role="status">
        {[
          `${fresh} new`,
          of('there') > 0 && `${of('there')} already there`,
          wrong > 0 && `${wrong} to mend`,
        ]
          .filter(Boolean)
          .join(', ')}
        .
      </p>
      {wrong > 0 && (
        <p className={classes.words}>
          Nothing can be imported while a row is wrong. Please mend the file and choose it again.
        </p>
      )}
      {unknownColumns.length > 0 && (
        <p className={classes.words}>Left out: {unknownColumns.join(', ')}.</p>
      )}
      <ul aria-label="Rows">
        {wrongFirst(rows).map((row) => (
          <li key={row.row} className={classes.row} data-state={row.state}>
            <span className={classes.number}>Row {row.row}</span>
            <span className={classes.what}>{row.what}</span>
            <span className={classes.state} data-state={row.state}>
              {WORDS[row.state]}
            </span>
            {row.notes.length > 0 && <span className={classes.notes}>{row.notes.join(' ')}</span>}
          </li>
        ))}
      </ul>
      {overlapping > 0 && wrong === 0 && (
        <CheckField
          label={`Import the ${overlapping === 1 ? 'one that overlaps' : `${overlapping} that overlap`} all the same`}
          checked={accepted}
          onChange={setAccepted}
        />
      )}
      <div className={classes.foot}>
        <Button variant="default" onClick={onBack}>
          Choose another file
        </Button>
        <Button
          disabled={wrong > 0 || fresh === 0 || bring.isPending || (overlapping > 0 && !accepted)}
          onClick={save}
        >
          {bring.isPending ? 'Importing...' : `Import ${count(fresh, thing)}`}
        </Button>
      </div>
    </Sheet>
  );
}

const wrongFirst = (rows: readonly ImportRow[]): ImportRow[] => [
  ...rows.filter(({ state }) => state === 'wrong'),
  ...rows.filter(({ state }) => state !== 'wrong'),
];
