import { type Subject, SubjectInput } from '@lessonbook/contract/subjects';
import * as z from 'zod/mini';
import { amountText, readAmount } from '../../lib/amount.ts';

const DEFAULT_FEE = 30;

/** What the fields hold: text, in the order of the screen. */
export const formOf = (subject: Subject | null) => ({
  name: subject?.name ?? '',
  description: subject?.description ?? '',
  defaultFee: amountText(subject?.defaultFee ?? DEFAULT_FEE),
  currency: subject?.currency ?? 'GBP',
});

type Fields = Record<keyof ReturnType<typeof formOf>, string>;

/** No amount is 0, which is refused: a lesson may be free, a subject's usual fee may not. */
export const toInput = (fields: Fields) =>
  ({ ...fields, defaultFee: readAmount(fields.defaultFee) ?? 0 }) as SubjectInput;

/** Checks the text by the contract's own rules. */
export const SubjectForm = z.pipe(
  z.transform<Fields, z.input<typeof SubjectInput>>(toInput),
  SubjectInput,
);
