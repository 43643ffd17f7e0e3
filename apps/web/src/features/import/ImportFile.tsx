import type { ImportKind, ImportPreview } from '@lessonbook/contract/import';
import { Button, FileButton } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { usePreviewImport } from './api.ts';
import classes from './Import.module.css';
import { ImportPreviewCard } from './ImportPreviewCard.tsx';

interface Column {
  name: string;
  required?: true;
}

/** The expected column headings; the server also accepts synonyms. */
const IMPORT_COLUMNS: Record<ImportKind, readonly Column[]> = {
  students: [
    { name: 'Name', required: true },
    { name: 'Phone' },
    { name: 'Email' },
    { name: 'Subject' },
    { name: 'Notes' },
    { name: 'Carer name' },
    { name: 'Relationship' },
    { name: 'Carer phone' },
    { name: 'Carer email' },
  ],
  lessons: [
    { name: 'Student', required: true },
    { name: 'Subject', required: true },
    { name: 'Date', required: true },
    { name: 'Start', required: true },
    { name: 'End', required: true },
    { name: 'Fee' },
    { name: 'Weekly until' },
  ],
};

interface LoadedFile {
  kind: ImportKind;
  name: string;
  text: string;
  preview: ImportPreview;
}

/** Choose the kind and the file, check the preview, then import. */
export function ImportFile() {
  const [kind, setKind] = useState<ImportKind>('students');
  const [loaded, setLoaded] = useState<LoadedFile | null>(null);
  const previewImport = usePreviewImport();

  async function previewFile(file: File | null) {
    if (!file) return;
    const text = await file.text();
    setLoaded(null);
    previewImport.mutate(
      { kind, text },
      { onSuccess: (preview) => setLoaded({ kind, name: file.name, text, preview }) },
    );
  }

  if (loaded) return <ImportPreviewCard {...loaded} onBack={() => setLoaded(null)} />;
  return (
    <Card>
      <div className={classes.start}>
        <SegmentedControl
          label="What is in the file"
          value={kind}
          options={[
            { value: 'students', label: 'Students' },
            { value: 'lessons', label: 'Lessons' },
          ]}
          onChange={setKind}
        />
        <p className={classes.text}>
          A CSV file, as every spreadsheet can save one. Its first row names the columns, in any
          order; the green ones are needed. You see every row before anything is saved.
        </p>
        <ul className={classes.columns} aria-label="Columns">
          {IMPORT_COLUMNS[kind].map(({ name, required }) => (
            <li key={name} data-required={required}>
              {name}
              {required && <span className={classes.required}> (needed)</span>}
            </li>
          ))}
        </ul>
        {kind === 'lessons' && (
          <p className={classes.text}>
            Dates as 2026-11-17 or 17/11/2026. Without a fee, the subject’s own counts. Students and
            subjects must be in your book.
          </p>
        )}
        {/* Cleared after each choice, so that a corrected file with the same name can be chosen again. */}
        <FileButton
          key={previewImport.submittedAt}
          onChange={(file) => void previewFile(file)}
          accept=".csv,.txt,.tsv,text/csv"
        >
          {(buttonProps) => (
            <Button
              {...buttonProps}
              disabled={previewImport.isPending}
              leftSection={<IconUpload size={18} stroke={1.8} />}
            >
              {previewImport.isPending ? 'Reading...' : 'Choose a file'}
            </Button>
          )}
        </FileButton>
      </div>
    </Card>
  );
}
