import { isDate } from '@lessonbook/contract/dates';
import { InvoiceDraftUpdate } from '@lessonbook/contract/invoice-inputs';
import type { Invoice } from '@lessonbook/contract/invoices';
import { Textarea } from '@mantine/core';
import * as z from 'zod/mini';
import { Card } from '../../components/Card.tsx';
import { DateField } from '../../components/DateField.tsx';
import { useForm } from '../../lib/use-form.ts';
import { useRefreshUnchangedFields } from '../../lib/use-refresh-unchanged-fields.ts';
import classes from './InvoiceEditor.module.css';

const MAX_NOTE_LENGTH = 1000;

const NoteSchema = z.pick(InvoiceDraftUpdate, { note: true });

interface Props {
  invoice: Invoice;
  today: string;
  onSave: (changes: Partial<InvoiceDraftUpdate>) => Promise<unknown>;
}

/** Saves the date when it is picked and the note on blur. */
export function DraftDueDateAndNote({ invoice, today, onSave }: Props) {
  const initialValues = { note: invoice.note ?? '' };
  const noteForm = useForm({
    schema: NoteSchema,
    initialValues,
    draft: { key: `invoice ${invoice.id}`, fields: ['note'] },
  });
  useRefreshUnchangedFields(noteForm, initialValues);
  const { form, onSubmit } = noteForm;
  const saveNote = onSubmit(({ note }) => onSave({ note: note.trim() || null }));
  return (
    <Card>
      <div className={classes.fields}>
        <DateField
          label="Due date"
          value={invoice.dueOn ?? ''}
          onChange={(day) => {
            if (day === '' || isDate(day))
              void onSave({ dueOn: day || null }).catch(() => undefined);
          }}
          today={today}
          earliest={today}
          placeholder="From your payment terms"
          clearable
          // The date may have passed since the draft was created.
          error={invoice.dueOn !== null && invoice.dueOn < today && 'This date is in the past'}
        />
        <Textarea
          label="Note"
          description="Shown at the bottom of the invoice"
          size="md"
          rows={3}
          maxLength={MAX_NOTE_LENGTH}
          key={form.key('note')}
          {...form.getInputProps('note')}
          onBlur={() => {
            if (form.getValues().note.trim() !== (invoice.note ?? '')) saveNote();
          }}
        />
      </div>
    </Card>
  );
}
