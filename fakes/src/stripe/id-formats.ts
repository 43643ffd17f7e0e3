import type { IdFormat } from '../shared/seeded-random-and-ids.ts';

export const ID_FORMATS = {
  account: ['acct_1', 15],
  session: ['cs_test_a1', 56],
  intent: ['pi_3', 23],
  charge: ['ch_3', 23],
  bankCharge: ['py_3', 23],
  refund: ['re_3', 23],
  dispute: ['dp_1', 23],
  transaction: ['txn_3', 23],
  lineItem: ['li_1', 23],
  price: ['price_1', 23],
  product: ['prod_', 14],
  paymentMethod: ['pm_1', 23],
  applicationFee: ['fee_1', 23],
  event: ['evt_1', 23],
  thinEvent: ['evt_test_65', 40],
  request: ['req_', 14],
  link: ['', 32],
} as const satisfies Record<string, IdFormat>;

export type IdKind = keyof typeof ID_FORMATS;

/** Expandable fields hold an id or an object; in stored objects they always hold the id. */
export function idOf(value: string | { id: string } | null | undefined): string {
  return typeof value === 'object' ? (value?.id ?? '') : (value ?? '');
}
