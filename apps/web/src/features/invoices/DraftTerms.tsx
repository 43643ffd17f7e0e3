import type { Invoice, InvoiceDraftUpdate } from '@lessonbook/contract/invoices';
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { Card } from '../../components/Card.tsx';
import { DateField } from '../../components/DateField.tsx';
import { useUnsavedChanges } from '../../lib/use-unsaved-changes.ts';
import classes from './InvoiceEditor.module.css';

const MAX_NOTE_LENGTH = 1000;

interface Props {
  invoice: Invoice;
  today: string;
  onSave: (changes: Partial<InvoiceDraftUpdate>) => void;
}

/** Saves the date when it is picked and the note on blur. */
export function DraftTerms({ invoice, today, onSave }: Props) {
  const [note, setNote] = useState(invoice.note ?? '');
  useUnsavedChanges(note.trim() !== (invoice.note ?? ''));
  return (
    <Card>
      <div className={classes.fields}>
        <DateField
          label="Due date"
          value={invoice.dueOn ?? ''}
          onChange={(day) => onSave({ dueOn: day || null })}
          today={today}
          earliest={today}
          placeholder="By your terms"
          clearable
          // The date may have passed since the draft was created.
          error={invoice.dueOn !== null && invoice.dueOn < today && 'This day is past'}
        />
        <Textarea
          label="Note"
          description="Stands at the foot of the invoice"
          size="md"
          rows={3}
          maxLength={MAX_NOTE_LENGTH}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          onBlur={() => {
            if (note.trim() !== (invoice.note ?? '')) onSave({ note: note.trim() || null });
          }}
        />
      </div>
    </Card>
  );
}
