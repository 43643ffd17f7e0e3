import {
  IMPORT_FIELDS,
  type ImportKind,
  type ImportPreview,
  type ImportRow,
} from '@lessonbook/contract/import';
import type { PastSessions } from '@lessonbook/contract/lessons';
import { Button, Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { CheckboxField } from '../../components/Checkbox.tsx';
import { RadioList } from '../../components/RadioList.tsx';
import { formatList, pluralize } from '../../lib/format.ts';
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts';
import { useImport } from './api.ts';
import classes from './ImportPreviewCard.module.css';

interface ImportChoices {
  /** What each column contains. By default, this is derived from the headings. */
  columns?: (string | null)[];
  pastSessions: PastSessions;
}

interface Props extends ImportChoices {
  kind: ImportKind;
  name: string;
  text: string;
  preview: ImportPreview;
  isReading: boolean;
  /** Reads the file again with different choices. */
  onChange: (change: Partial<ImportChoices>) => void;
  onBack: () => void;
}

const STATE_LABELS: Record<ImportRow['state'], string> = {
  new: 'New',
  updated: 'Updated',
  existing: 'Already in Lessonbook',
  overlapping: 'Overlaps',
  invalid: 'Error',
};

/** What each row of the file will create or update, shown before anything is saved. */
export function ImportPreviewCard(props: Props) {
  const { kind, name, text, columns, pastSessions, preview, isReading, onChange, onBack } = props;
  const [acceptOverlaps, setAcceptOverlaps] = useState(false);
  const importFile = useImport();
  const idempotency = useIdempotencyKey();
  const navigate = useNavigate();
  const { rows, missingFields, pastCount } = preview;
  const count = (state: ImportRow['state']) => rows.filter((row) => row.state === state).length;
  const newCount = count('new') + (acceptOverlaps ? count('overlapping') : 0);
  const importCount = newCount + count('updated');

  function save() {
    const input = { kind, text, pastSessions, acceptOverlaps, ...(columns && { columns }) };
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
      {missingFields.length > 0 ? (
        <p className={classes.summary} role="status">
          Choose which column contains: {formatList(missingFields)}.
        </p>
      ) : (
        <p className={classes.summary} role="status">
          {formatCounts(count)}
        </p>
      )}
      <ColumnMapping
        kind={kind}
        columns={preview.columns}
        opened={missingFields.length > 0}
        onChange={(changed) => onChange({ columns: changed })}
      />
      {pastCount > 0 && (
        <RadioList
          legend={`${pluralize(pastCount, 'lesson')} before today`}
          options={[
            { value: 'unpaid', label: 'Mark as completed, not yet paid' },
            { value: 'taught', label: 'Mark as completed and paid' },
            { value: 'skip', label: 'Leave them to complete later; repeating lessons start today' },
          ]}
          chosen={pastSessions}
          onChoose={(chosen) => onChange({ pastSessions: chosen })}
        />
      )}
      <PreviewRows rows={rows} />
      {count('overlapping') > 0 && (
        <CheckboxField
          label={`Also import the ${count('overlapping') === 1 ? 'one that overlaps' : `${count('overlapping')} that overlap`}`}
          checked={acceptOverlaps}
          onChange={setAcceptOverlaps}
        />
      )}
      <div className={classes.footer}>
        <Button variant="default" onClick={onBack}>
          Choose another file
        </Button>
        <Button disabled={importCount === 0 || importFile.isPending || isReading} onClick={save}>
          {importFile.isPending
            ? 'Importing...'
            : `Import ${pluralize(importCount, kind === 'students' ? 'student' : 'lesson')}`}
        </Button>
      </div>
    </Card>
  );
}

/** '12 new, 2 with details to add, 1 with errors, left out.' */
function formatCounts(count: (state: ImportRow['state']) => number): string {
  const parts = [
    `${count('new')} new`,
    count('updated') > 0 && `${count('updated')} with details to add`,
    count('existing') > 0 && `${count('existing')} already in Lessonbook`,
    count('overlapping') > 0 && `${count('overlapping')} overlapping`,
    count('invalid') > 0 && `${count('invalid')} with errors, left out`,
  ].filter(Boolean);
  return `${parts.join(', ')}.`;
}

function PreviewRows({ rows }: { rows: readonly ImportRow[] }) {
  return (
    <ul aria-label="Rows">
      {sortInvalidFirst(rows).map((row) => (
        <li key={row.row} className={classes.row} data-state={row.state}>
          <span className={classes.number}>Row {row.row}</span>
          <span className={classes.description}>{row.what}</span>
          <span className={classes.state} data-state={row.state}>
            {STATE_LABELS[row.state]}
          </span>
          {row.makes && <span className={classes.makes}>{row.makes}</span>}
          {row.notes.length > 0 && <span className={classes.notes}>{row.notes.join('. ')}</span>}
        </li>
      ))}
    </ul>
  );
}

const sortInvalidFirst = (rows: readonly ImportRow[]): ImportRow[] => [
  ...rows.filter(({ state }) => state === 'invalid'),
  ...rows.filter(({ state }) => state !== 'invalid'),
];

interface ColumnMappingProps {
  kind: ImportKind;
  columns: ImportPreview['columns'];
  opened: boolean;
  onChange: (columns: (string | null)[]) => void;
}

const LEFT_OUT = 'left-out';

/** Lets the tutor choose what each column contains, and names the columns that are left out of the import. */
function ColumnMapping({ kind, columns, opened, onChange }: ColumnMappingProps) {
  if (columns.length === 0) return null;
  const omitted = columns.filter(({ field }) => field === null).map(({ heading }) => heading);
  const options = [
    { value: LEFT_OUT, label: 'Left out' },
    ...IMPORT_FIELDS[kind].map(({ name, label }) => ({ value: name, label })),
  ];

  function choose(index: number, value: string | null) {
    const chosen = value === LEFT_OUT ? null : value;
    // Each field is used once: if another column had the chosen field, that column is now left out.
    onChange(
      columns.map(({ field }, position) => {
        if (position === index) return chosen;
        return field === chosen ? null : field;
      }),
    );
  }

  return (
    <details className={classes.columns} open={opened}>
      <summary>
        Columns
        {omitted.length > 0 && <small>Left out: {omitted.filter(Boolean).join(', ')}</small>}
      </summary>
      {columns.map(({ heading, field }, index) => (
        <Select
          // Two columns may have the same heading.
          key={`${heading} ${String(index)}`}
          label={heading || `Column ${String(index + 1)}`}
          data={options}
          value={field ?? LEFT_OUT}
          onChange={(value) => choose(index, value)}
          allowDeselect={false}
        />
      ))}
    </details>
  );
}
