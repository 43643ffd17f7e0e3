import type { ImportKind, ImportPreview, ImportRow } from '@lessonbook/contract/import';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { pluralize } from '../../lib/format.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useImport } from './api.ts';
import classes from './Import.module.css';

interface Props {
  kind: ImportKind;
  name: string;
  text: string;
  preview: ImportPreview;
  onBack: () => void;
}

const STATE_LABELS: Record<ImportRow['state'], string> = {
  new: 'New',
  existing: 'Already there',
  invalid: 'To mend',
};

export function ImportPreviewCard({ kind, name, text, preview, onBack }: Props) {
  const [acceptOverlaps, setAcceptOverlaps] = useState(false);
  const importFile = useImport();
  const idempotency = useIdempotencyKey();
  const navigate = useNavigate();
  const { rows, unknownColumns, overlapCount } = preview;
  const countState = (state: ImportRow['state']) =>
    rows.filter((row) => row.state === state).length;
  const [newCount, invalidCount] = [countState('new'), countState('invalid')];
  const noun = kind === 'students' ? 'student' : 'lesson';

  function save() {
    const input = { kind, text, acceptOverlaps };
    importFile.mutate(
      { ...input, idempotencyKey: idempotency.keyFor(input) },
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
    <Card heading={name}>
      <p className={classes.summary} role="status">
        {[
          `${newCount} new`,
          countState('existing') > 0 && `${countState('existing')} already there`,
          invalidCount > 0 && `${invalidCount} to mend`,
        ]
          .filter(Boolean)
          .join(', ')}
        .
      </p>
      {invalidCount > 0 && (
        <p className={classes.text}>
          Nothing can be imported while a row is wrong. Please mend the file and choose it again.
        </p>
      )}
      {unknownColumns.length > 0 && (
        <p className={classes.text}>Left out: {unknownColumns.join(', ')}.</p>
      )}
      <ul aria-label="Rows">
        {sortInvalidFirst(rows).map((row) => (
          <li key={row.row} className={classes.row} data-state={row.state}>
            <span className={classes.number}>Row {row.row}</span>
            <span className={classes.description}>{row.what}</span>
            <span className={classes.state} data-state={row.state}>
              {STATE_LABELS[row.state]}
            </span>
            {row.notes.length > 0 && <span className={classes.notes}>{row.notes.join(' ')}</span>}
          </li>
        ))}
      </ul>
      {overlapCount > 0 && invalidCount === 0 && (
        <CheckboxField
          label={`Import the ${overlapCount === 1 ? 'one that overlaps' : `${overlapCount} that overlap`} all the same`}
          checked={acceptOverlaps}
          onChange={setAcceptOverlaps}
        />
      )}
      <div className={classes.foot}>
        <Button variant="default" onClick={onBack}>
          Choose another file
        </Button>
        <Button
          disabled={
            invalidCount > 0 ||
            newCount === 0 ||
            importFile.isPending ||
            (overlapCount > 0 && !acceptOverlaps)
          }
          onClick={save}
        >
          {importFile.isPending ? 'Importing...' : `Import ${pluralize(newCount, noun)}`}
        </Button>
      </div>
    </Card>
  );
}

const sortInvalidFirst = (rows: readonly ImportRow[]): ImportRow[] => [
  ...rows.filter(({ state }) => state === 'invalid'),
  ...rows.filter(({ state }) => state !== 'invalid'),
];
