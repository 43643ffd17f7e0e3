import type { InvoiceBatchRow } from '@lessonbook/contract/invoice-and-reminder-batches';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import { ButtonLink } from '../../components/ButtonLink.tsx';
import { Card } from '../../components/Card.tsx';
import { ImpactNotice } from '../../components/ImpactNotice.tsx';
import { LazyMount } from '../../components/LazyMount.tsx';
import { LoadError, RowSkeleton } from '../../components/ListStates.tsx';
import { PageHeader, StickyActions } from '../../components/PageLayoutParts.tsx';
import { RecordNotFound } from '../../components/RecordNotFound.tsx';
import { formatDayMonth, formatTotals, pluralize } from '../../lib/format.ts';
import { isNotFound } from '../../lib/http.ts';
import { invoiceBatchPreviewQuery } from '../batches/api.ts';
import classes from './BulkInvoiceReview.module.css';
import { ReviewList, ReviewTable } from './BulkInvoiceRows.tsx';
import {
  formatBatchPlan,
  formatNumberRange,
  formatStartLabel,
  planBatch,
} from './invoice-batch-plan.ts';

const ConfirmBatchModal = lazy(async () => ({
  default: (await import('./ConfirmBatchModal.tsx')).ConfirmBatchModal,
}));
const InvoicePreviewModal = lazy(async () => ({
  default: (await import('./InvoicePreviewModal.tsx')).InvoicePreviewModal,
}));
const DeleteDraftsModal = lazy(async () => ({
  default: (await import('./DraftModals.tsx')).DeleteDraftsModal,
}));

const BACK = { link: { to: '/invoices' }, label: 'Back to invoices' } as const;

interface Props {
  ids: readonly number[];
  today: string;
}

/** The invoices that will be issued and emailed, all preselected. Nothing is issued until the tutor confirms. */
export function BulkInvoiceReview({ ids, today }: Props) {
  const preview = useQuery(invoiceBatchPreviewQuery(ids));
  const [excludedIds, setExcludedIds] = useState<ReadonlySet<number>>(new Set());
  const [opened, setOpened] = useState<'confirm' | 'delete' | null>(null);
  const [previewedId, setPreviewedId] = useState<number | null>(null);
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });

  if (!preview.data || isNotFound(preview.error)) {
    return (
      <>
        <PageHeader back={BACK} />
        <Card>
          {isNotFound(preview.error) ? (
            <RecordNotFound list="invoices">These drafts have been deleted.</RecordNotFound>
          ) : preview.isError ? (
            <LoadError onRetry={() => void preview.refetch()}>
              We couldn't load the drafts. Your records are safe.
            </LoadError>
          ) : (
            <RowSkeleton rows={Math.min(ids.length, 8)} />
          )}
        </Card>
      </>
    );
  }
  const { rows, numbers, dueOn, problem } = preview.data;
  const selected = rows.filter(({ id }) => !excludedIds.has(id));
  const plan = planBatch(selected, numbers);
  const drafts = selected.filter(({ number }) => number === null);
  const canStart = plan.rows.length > 0 && (problem === null || plan.drafts.length > 0);
  const selection = {
    ids: new Set(selected.map(({ id }) => id)),
    onChange: (next: ReadonlySet<number>) =>
      setExcludedIds(new Set(rows.filter(({ id }) => !next.has(id)).map(({ id }) => id))),
    rowLabel: ({ familyName }: InvoiceBatchRow) => `Select the invoice for ${familyName}`,
  };
  const actions = (
    <div className={classes.actions}>
      <ButtonLink to="/invoices" search={{ state: 'draft' }} variant="default">
        Save as drafts
      </ButtonLink>
      <Button
        leftSection={<IconSend size={18} stroke={1.8} />}
        disabled={!canStart}
        onClick={() => setOpened('confirm')}
      >
        {formatStartLabel(plan, problem === null)}
      </Button>
    </div>
  );
  const list = { rows, selection, today, onPreview: setPreviewedId };
  const footer = (
    <Footer
      rows={rows}
      plan={plan}
      draftCount={drafts.length}
      onDelete={() => setOpened('delete')}
    />
  );
  return (
    <div className={classes.page}>
      <PageHeader
        back={BACK}
        title={`Review ${pluralize(plan.rows.length, 'invoice')}`}
        action={!isPhone && actions}
      />
      <p className={classes.lead}>
        {formatLastDate(rows, today)}
        <b>Due {formatDayMonth(dueOn, today)}</b> if issued today.
      </p>
      {isPhone ? (
        <ReviewList {...list} footer={footer} />
      ) : (
        <ReviewTable {...list} footer={footer} />
      )}
      <ImpactNotice>
        <p>
          <b>What will happen:</b> {formatBatchPlan(plan, problem)}
        </p>
        {problem !== null && <Link to="/settings/business">Add a way to be paid</Link>}
      </ImpactNotice>
      {isPhone && <StickyActions>{actions}</StickyActions>}
      <LazyMount opened={opened === 'confirm'}>
        <ConfirmBatchModal
          plan={plan}
          canEmail={problem === null}
          opened={opened === 'confirm'}
          onClose={() => setOpened(null)}
        />
      </LazyMount>
      <LazyMount opened={opened === 'delete'}>
        <DeleteDraftsModal
          drafts={drafts}
          opened={opened === 'delete'}
          onClose={() => setOpened(null)}
        />
      </LazyMount>
      <LazyMount opened={previewedId !== null}>
        <InvoicePreviewModal
          id={previewedId}
          today={today}
          opened={previewedId !== null}
          onClose={() => setPreviewedId(null)}
        />
      </LazyMount>
    </div>
  );
}

/** 'Includes lessons up to 30 Nov. ' */
function formatLastDate(rows: readonly InvoiceBatchRow[], today: string): string {
  const last = rows
    .flatMap(({ lastDate }) => lastDate ?? [])
    .toSorted()
    .at(-1);
  return last ? `Includes lessons up to ${formatDayMonth(last, today)}. ` : '';
}

interface FooterProps {
  rows: readonly InvoiceBatchRow[];
  plan: ReturnType<typeof planBatch>;
  draftCount: number;
  onDelete: () => void;
}

function Footer({ rows, plan, draftCount, onDelete }: FooterProps) {
  const sum = (part: readonly InvoiceBatchRow[]) =>
    formatTotals(part.map(({ currency, total }) => ({ currency, minor: total })));
  return (
    <>
      <span>
        {plan.rows.length} of {pluralize(rows.length, 'family', 'families')}
        {plan.drafts.length > 0 && `, ${formatNumberRange(plan.numbers)}`}
      </span>
      {draftCount > 0 && (
        <Button variant="subtle" color="red" onClick={onDelete}>
          Delete {pluralize(draftCount, 'draft')}
        </Button>
      )}
      <span className={classes.sums}>
        {plan.emailed.length > 0 && (
          <span>
            By email <b>{sum(plan.emailed)}</b>
          </span>
        )}
        {plan.withoutEmailAddress.length > 0 && (
          <span>
            For you to deliver <b>{sum(plan.withoutEmailAddress)}</b>
          </span>
        )}
        <span>
          Total <b>{sum(plan.rows) || '0'}</b>
        </span>
      </span>
    </>
  );
}
