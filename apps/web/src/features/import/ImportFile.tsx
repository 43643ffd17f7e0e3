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
  needed?: true;
}

/** As the tutor may head them; the server knows some other words for each. */
const IMPORT_COLUMNS: Record<ImportKind, readonly Column[]> = {
  students: [
    { name: 'Name', needed: true },
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
    { name: 'Student', needed: true },
    { name: 'Subject', needed: true },
    { name: 'Date', needed: true },
    { name: 'Start', needed: true },
    { name: 'End', needed: true },
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

/** Choose what and which file; look at it; then bring it in. */
export function ImportFile() {
  const [kind, setKind] = useState<ImportKind>('students');
  const [read, setRead] = useState<LoadedFile | null>(null);
  const previewImport = usePreviewImport();

  async function open(file: File | null) {
    if (!file) return;
    const text = await file.text();
    setRead(null);
    previewImport.mutate(
      { kind, text },
      { onSuccess: (preview) => setRead({ kind, name: file.name, text, preview }) },
    );
  }

  if (read) return <ImportPreviewCard {...read} onBack={() => setRead(null)} />;
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
        <p className={classes.words}>
          A CSV file, as every spreadsheet can save one. Its first row names the columns, in any
          order; the green ones are needed. You see every row before anything is saved.
        </p>
        <ul className={classes.columns} aria-label="Columns">
          {IMPORT_COLUMNS[kind].map(({ name, needed }) => (
            <li key={name} data-needed={needed}>
              {name}
              {needed && <span className={classes.needed}> (needed)</span>}
            </li>
          ))}
        </ul>
        {kind === 'lessons' && (
          <p className={classes.words}>
            Dates as 2026-11-17 or 17/11/2026. Without a fee, the subject’s own counts. Students and
            subjects must be in your book.
          </p>
        )}
        {/* Emptied after each choice, so that the mended file can be chosen under the same name. */}
        <FileButton
          key={previewImport.submittedAt}
          onChange={(file) => void open(file)}
          accept=".csv,.txt,.tsv,text/csv"
        >
          {(button) => (
            <Button
              {...button}
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
