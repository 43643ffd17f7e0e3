import type { Invoice } from '@lessonbook/contract/invoices';
import { AddItem } from './AddItem.tsx';
import { AddLessons } from './AddLessons.tsx';
import { IssueSheet } from './IssueSheet.tsx';
import type { useDraft } from './use-draft.ts';

export type DraftSheet = 'item' | 'lessons' | 'issue';

interface Props {
  invoice: Invoice;
  draft: ReturnType<typeof useDraft>;
  today: string;
  opened: DraftSheet | null;
  onClose: () => void;
  onSend: () => void;
}

/** What opens above a draft: fetched once for all of them. */
export function DraftSheets({ invoice, draft, today, opened, onClose, onSend }: Props) {
  return (
    <>
      <AddItem
        opened={opened === 'item'}
        onClose={onClose}
        currency={invoice.currency}
        isBusy={draft.isBusy}
        onAdd={(item) => draft.addItem(item, onClose)}
      />
      <AddLessons
        invoice={invoice}
        opened={opened === 'lessons'}
        onClose={onClose}
        today={today}
        isBusy={draft.isBusy}
        onAdd={(lessons) => draft.addLessons(lessons, onClose)}
      />
      <IssueSheet
        invoice={invoice}
        isSaving={draft.isBusy}
        opened={opened === 'issue'}
        onClose={onClose}
        onSend={onSend}
      />
    </>
  );
}
