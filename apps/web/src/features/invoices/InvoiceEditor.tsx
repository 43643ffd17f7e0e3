import type { Invoice } from '@lessonbook/contract/invoices';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, startTransition, useState } from 'react';
import { FactList } from '../../components/FactList.tsx';
import { Segments } from '../../components/Segments.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { StickyFoot } from '../../components/StickyFoot.tsx';
import { WhenOpened } from '../../components/WhenOpened.tsx';
import { money, shortDate } from '../../lib/format.ts';
import { namesInWords } from '../../lib/names.ts';
import { DraftLines } from './DraftLines.tsx';
import type { DraftSheet } from './DraftSheets.tsx';
import classes from './InvoiceEditor.module.css';
import { InvoicePaper } from './InvoicePaper.tsx';
import { useDraft } from './use-draft.ts';

/* The calendar and the sheets are fetched while the lines are read. */
const DraftSheets = lazy(async () => ({
  default: (await import('./DraftSheets.tsx')).DraftSheets,
}));
const DueAndNote = lazy(async () => ({ default: (await import('./DueAndNote.tsx')).DueAndNote }));

const tabs = [
  { value: 'edit', label: 'Edit' },
  { value: 'preview', label: 'Preview' },
] as const;

interface Props {
  invoice: Invoice;
  today: string;
  /** It was issued, to be sent at once. */
  onSend: () => void;
}

/** A draft: what stands on it, and beside it (on phones behind a tab) how it will look. */
export function InvoiceEditor({ invoice, today, onSend }: Props) {
  const [tab, setTab] = useState<'edit' | 'preview'>('edit');
  const [opened, setOpened] = useState<DraftSheet | null>(null);
  // The whole draft is drawn again for it; the button answers before.
  const open = (sheet: DraftSheet) => startTransition(() => setOpened(sheet));
  const draft = useDraft(invoice);
  const isEmpty = invoice.lines.length === 0;

  return (
    <>
      <div className={classes.tabs}>
        <Segments label="View" value={tab} options={tabs} onChange={setTab} />
      </div>
      <div className={classes.desk} data-tab={tab}>
        <div className={classes.edit}>
          <Sheet>
            <FactList facts={aboutOf(invoice, today)} />
          </Sheet>
          <Sheet heading="Lines">
            <DraftLines
              invoice={invoice}
              today={today}
              isBusy={draft.isBusy}
              onRemove={draft.remove}
            />
            {isEmpty && <p className={classes.quiet}>Nothing stands on it yet.</p>}
            <div className={classes.add}>
              <Button variant="light" onClick={() => open('lessons')}>
                Add lesson
              </Button>
              <Button variant="light" onClick={() => open('item')}>
                Add item
              </Button>
            </div>
          </Sheet>
          <Suspense fallback={<div className={classes.wait} />}>
            <DueAndNote invoice={invoice} today={today} onSave={draft.save} />
          </Suspense>
        </div>
        <div className={classes.preview}>
          <InvoicePaper invoice={invoice} />
        </div>
      </div>
      <StickyFoot>
        <p className={classes.total}>
          <small>Total</small> <b>{money(invoice.total, invoice.currency)}</b>
        </p>
        <Button
          size="lg"
          className={classes.issue ?? ''}
          disabled={isEmpty}
          onClick={() => open('issue')}
        >
          Issue
        </Button>
      </StickyFoot>
      <WhenOpened opened={opened !== null}>
        <DraftSheets
          invoice={invoice}
          draft={draft}
          today={today}
          opened={opened}
          onClose={() => setOpened(null)}
          onSend={onSend}
        />
      </WhenOpened>
    </>
  );
}

function aboutOf(invoice: Invoice, today: string) {
  const { familyId, familyName, students, periodFrom, periodTo } = invoice;
  return [
    {
      name: 'Payer',
      value: (
        <Link to="/families/$id" params={{ id: String(familyId) }}>
          {familyName}
        </Link>
      ),
    },
    { name: 'For', value: namesInWords(students) },
    {
      name: 'Period',
      value:
        periodFrom &&
        periodTo &&
        `${shortDate(periodFrom, today)} to ${shortDate(periodTo, today)}`,
    },
  ];
}
