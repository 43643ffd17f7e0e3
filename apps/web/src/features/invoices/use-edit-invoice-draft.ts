import type { InvoiceDraftUpdate } from '@lessonbook/contract/invoice-inputs';
import type { Invoice, InvoiceLine } from '@lessonbook/contract/invoices';
import { useQueryClient } from '@tanstack/react-query';
import { toastUndo } from '../../lib/toast.ts';
import { invoiceQuery, useUpdateInvoiceDraft } from './api.ts';
import { sortLines, toLineInput } from './invoice-lines.ts';

/** Saves every change to a draft immediately; each save contains the whole draft. */
export function useEditInvoiceDraft(invoice: Invoice) {
  const client = useQueryClient();
  const change = useUpdateInvoiceDraft(invoice.id);

  function save(changes: Partial<InvoiceDraftUpdate>) {
    // Uses the cached draft, not the rendered one: Undo may be clicked ten seconds after the render that offered it.
    const draft = client.getQueryData(invoiceQuery(invoice.id).queryKey) ?? invoice;
    return change.mutateAsync({
      lines: draft.lines.map(toLineInput),
      dueOn: draft.dueOn,
      note: draft.note,
      ...changes,
    });
  }

  return {
    isBusy: change.isPending,
    save,
    addItem: (item: { description: string; amount: number }) =>
      save({ lines: [...invoice.lines.map(toLineInput), item] }),
    addLessons: (lessons: readonly InvoiceLine[]) =>
      save({ lines: sortLines([...invoice.lines, ...lessons]).map(toLineInput) }),
    remove: (line: InvoiceLine) => {
      const before = invoice.lines.map(toLineInput);
      const after = invoice.lines
        .filter(({ position }) => position !== line.position)
        .map(toLineInput);
      const undo = () => void save({ lines: before }).catch(ignore);
      save({ lines: after })
        .then(() => toastUndo('Item removed', undo))
        .catch(ignore);
    },
  };
}

/** A toast shows the error. */
const ignore = () => undefined;
