import { IMPORT_FIELDS, type ImportKind, type ImportPreview } from '@lessonbook/contract/import';
import type { PastSessions } from '@lessonbook/contract/lessons';
import { Button, FileButton } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Card } from '../components/Card.tsx';
import { NarrowContainer, PageHeader } from '../components/PageLayoutParts.tsx';
import { SegmentedControl } from '../components/SegmentedControl.tsx';
import { usePreviewImport } from '../features/import/api.ts';
import classes from './SettingsImport.module.css';

const ImportPreviewCard = lazy(async () => ({
  default: (await import('../features/import/ImportPreviewCard.tsx')).ImportPreviewCard,
}));

export function SettingsImportPage() {
  return (
    <NarrowContainer>
      <PageHeader back={{ link: { to: '/settings/your-data' }, label: 'Back to your data' }} />
      <ImportFile />
    </NarrowContainer>
  );
}

interface LoadedFile {
  kind: ImportKind;
  name: string;
  text: string;
  columns?: (string | null)[];
  pastSessions: PastSessions;
  preview: ImportPreview;
}

/** Choose the kind and the file, check the preview, then import. */
function ImportFile() {
  const [kind, setKind] = useState<ImportKind>('students');
  const [loaded, setLoaded] = useState<LoadedFile | null>(null);
  const previewImport = usePreviewImport();

  function preview(file: Omit<LoadedFile, 'preview'>) {
    const { name: _, ...body } = file;
    previewImport.mutate(body, {
      onSuccess: (result) => setLoaded({ ...file, preview: result }),
    });
  }

  async function previewFile(file: File | null) {
    if (!file) return;
    const text = await file.text();
    // A calendar file contains only lessons.
    const fileKind = /^\s*BEGIN:VCALENDAR/i.test(text) ? 'lessons' : kind;
    setKind(fileKind);
    setLoaded(null);
    preview({ kind: fileKind, name: file.name, text, pastSessions: 'unpaid' });
  }

  if (loaded)
    return (
      <Suspense fallback={null}>
        <ImportPreviewCard
          {...loaded}
          isReading={previewImport.isPending}
          onChange={(change) => preview({ ...loaded, ...change })}
          onBack={() => setLoaded(null)}
        />
      </Suspense>
    );
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
          {kind === 'students'
            ? 'A CSV file, which every spreadsheet and most tutoring software can save. '
            : 'A CSV file from a spreadsheet or tutoring software, or a calendar file (.ics). '}
          The first row names the columns, in any order. You'll see every row before anything is
          saved.
        </p>
        <ul className={classes.columns} aria-label="Columns">
          {IMPORT_FIELDS[kind].map(({ name, label, required }) => (
            <li key={name} data-required={required}>
              {label}
              {required && <span className={classes.required}> (required)</span>}
            </li>
          ))}
        </ul>
        {kind === 'lessons' && (
          <p className={classes.text}>
            Dates as 17/11/2026 or 17 Nov 2026, times as 16:00 or 4pm. You can give a duration
            instead of an end time. If there's no fee, we use the subject's default fee. Add your
            students and subjects first.
          </p>
        )}
        <div className={classes.buttons}>
          {/* Cleared after each choice, so that a corrected file with the same name can be chosen again. */}
          <FileButton
            key={previewImport.submittedAt}
            onChange={(file) => void previewFile(file)}
            accept=".csv,.txt,.tsv,.ics,text/csv,text/calendar"
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
          <Button
            component="a"
            variant="default"
            href={templateUrl(kind)}
            download={`${kind}-template.csv`}
            leftSection={<IconDownload size={18} stroke={1.8} />}
          >
            Download template
          </Button>
        </div>
      </div>
    </Card>
  );
}

/** A CSV file with the headings and one example. */
function templateUrl(kind: ImportKind): string {
  const fields = IMPORT_FIELDS[kind].filter(({ example }) => example !== '');
  const lines = [fields.map(({ label }) => label), fields.map(({ example }) => example)];
  const text = lines.map((cells) => cells.join(',')).join('\r\n');
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${text}\r\n`)}`;
}
