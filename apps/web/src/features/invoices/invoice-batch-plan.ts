import type { InvoiceBatchRow } from '@lessonbook/contract/invoice-and-reminder-batches';
import { firstName, formatList, pluralize } from '../../lib/format.ts';

export interface BatchPlan {
  /** The invoices that will be issued or emailed. A draft without lines is left out. */
  rows: InvoiceBatchRow[];
  drafts: InvoiceBatchRow[];
  /** The numbers for the drafts, in order. */
  numbers: string[];
  emailed: InvoiceBatchRow[];
  /** Issued, but without a usable email address. */
  withoutEmailAddress: InvoiceBatchRow[];
}

export function planBatch(
  selected: readonly InvoiceBatchRow[],
  numbers: readonly string[],
): BatchPlan {
  const rows = selected.filter(({ lineCount }) => lineCount > 0);
  const drafts = rows.filter(({ number }) => number === null);
  return {
    rows,
    drafts,
    numbers: numbers.slice(0, drafts.length),
    emailed: rows.filter(({ problem }) => problem === null),
    withoutEmailAddress: rows.filter(({ problem }) => problem !== null),
  };
}

/** 'Issue 8 invoices and email 7', 'Issue and email 8 invoices', 'Issue 8 invoices' or 'Email 3 invoices' */
export function formatStartLabel(
  { rows, drafts, emailed }: Pick<BatchPlan, 'rows' | 'drafts' | 'emailed'>,
  isEmailed: boolean,
): string {
  const emailCount = isEmailed ? emailed.length : 0;
  const invoices = pluralize(drafts.length || emailCount, 'invoice');
  if (drafts.length === 0) return `Email ${invoices}`;
  if (emailCount === 0) return `Issue ${invoices}`;
  const isSame = drafts.length === rows.length && emailCount === rows.length;
  return isSame ? `Issue and email ${invoices}` : `Issue ${invoices} and email ${emailCount}`;
}

/** 'number MT-0233' or 'numbers MT-0233 to MT-0240' */
export function formatNumberRange(numbers: readonly string[]): string {
  const [first, last] = [numbers[0], numbers.at(-1)];
  return first === last ? `number ${first}` : `numbers ${first} to ${last}`;
}

const MAX_NAMES = 3;

/** Describes in sentences what starting the batch will do. */
export function formatBatchPlan(plan: BatchPlan, problem: string | null): string {
  const { rows, drafts, emailed, withoutEmailAddress } = plan;
  if (rows.length === 0) return 'Choose at least one invoice that has items.';
  const emailCount = problem === null ? emailed.length : 0;
  const names = withoutEmailAddress.map(({ familyName }) => firstName(familyName));
  const upcoming = drafts.filter((row) => row.upcoming > 0).length;
  return [
    drafts.length > 0 && `${pluralize(drafts.length, 'invoice')} will be issued and numbered.`,
    emailCount > 0 && `${emailCount} will be emailed now.`,
    problem,
    names.length > 0 &&
      (names.length > MAX_NAMES
        ? `${names.length} can't be emailed, so download their PDFs and deliver them yourself.`
        : `${formatList(names)} can't be emailed, so download the PDF and deliver it yourself.`),
    upcoming > 0 &&
      `${pluralize(upcoming, 'invoice includes', 'invoices include')} upcoming lessons, which will be charged now.`,
    drafts.length > 0 &&
      "Issued invoices can't be edited or deleted. To correct one, void it or create a credit note.",
  ]
    .filter(Boolean)
    .join(' ');
}
