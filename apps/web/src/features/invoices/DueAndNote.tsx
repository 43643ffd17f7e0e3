import type { Invoice, InvoiceChange } from '@lessonbook/contract/invoices';
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { DateField } from '../../components/DateField.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { useUnsaved } from '../../lib/unsaved.ts';
import classes from './InvoiceEditor.module.css';

const LONGEST_NOTE = 1000;

interface Props {
  invoice: Invoice;
  today: string;
  onSave: (part: Partial<InvoiceChange>) => void;
}

/** The date is saved when it is picked, the note when the field is left. */
export function DueAndNote({ invoice, today, onSave }: Props) {
  const [note, setNote] = useState(invoice.note ?? '');
  useUnsaved(note.trim() !== (invoice.note ?? ''));
  return (
    <Sheet>
      <div className={classes.fields}>
        <DateField
          label="Due date"
          value={invoice.dueOn ?? ''}
          onChange={(day) => onSave({ dueOn: day || null })}
          today={today}
          earliest={today}
          placeholder="By your terms"
          clearable
          // A draft that lay about for a while.
          error={invoice.dueOn !== null && invoice.dueOn < today && 'This day is past'}
        />
        <Textarea
          label="Note"
          description="Stands at the foot of the invoice"
          size="md"
          rows={3}
          maxLength={LONGEST_NOTE}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          onBlur={() => {
            if (note.trim() !== (invoice.note ?? '')) onSave({ note: note.trim() || null });
          }}
        />
      </div>
    </Sheet>
  );
}
