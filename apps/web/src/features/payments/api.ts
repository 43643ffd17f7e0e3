import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { families } from '@lessonbook/contract/families';
import { type PaymentDetails, payments } from '@lessonbook/contract/payments';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { callAllPages, callApi } from '../../lib/http.ts';
import { sortByName } from '../../lib/sort-by-name.ts';
import { toastSuccess, toastUndo } from '../../lib/toast.ts';

/* Queries */

/** Identifies the payer by a lesson, a session, a student or the account. */
export type PaymentTarget = NonNullable<EndpointInput<typeof payments.paymentFormData>['query']>;

export const paymentFormDataQuery = (target: PaymentTarget) =>
  queryOptions({
    queryKey: ['payment-form-data', target],
    queryFn: () => callApi(payments.paymentFormData, { query: target }),
    // Always fetches the current balance, not the one from when the form was last opened.
    staleTime: 0,
    gcTime: 0,
  });

export const paymentQuery = (id: number) =>
  queryOptions({
    queryKey: ['/api/payments', id],
    queryFn: () => callApi(payments.payment, { params: { id } }),
  });

export const familiesQuery = queryOptions({
  queryKey: ['/api/families'],
  queryFn: async () => sortByName(await callAllPages(families.listFamilies)),
});

export const LEDGER_PAGE_SIZE = 50;

export const familyQuery = (id: number, offset = 0) =>
  queryOptions({
    queryKey: ['/api/families', id, offset],
    queryFn: () =>
      callApi(families.family, { params: { id }, query: { limit: LEDGER_PAGE_SIZE, offset } }),
  });

/* Payments and refunds */

/** The key is created with the toast, so that pressing Undo twice reverses once. */
function useUndoToast() {
  const reverse = useReversePayment();
  return (title: string, id: number) => {
    const idempotencyKey = crypto.randomUUID();
    toastUndo(title, () => reverse.mutate({ params: { id }, idempotencyKey }));
  };
}

type RecordPaymentRequest = EndpointInput<typeof payments.recordPayment> & {
  idempotencyKey: string;
};

export function useRecordPayment() {
  const offerUndo = useUndoToast();
  return useMutation({
    mutationFn: (input: RecordPaymentRequest) => callApi(payments.recordPayment, input),
    meta: { errorFallback: "We couldn't record the payment. Please try again." },
    onSuccess: ({ id }) => {
      offerUndo('Payment recorded', id);
    },
  });
}

type RefundRequest = EndpointInput<typeof payments.refundPayment> & { idempotencyKey: string };

export function useRefundPayment() {
  const offerUndo = useUndoToast();
  return useMutation({
    mutationFn: (input: RefundRequest) => callApi(payments.refundPayment, input),
    meta: { errorFallback: "We couldn't record the refund. Please try again." },
    onSuccess: (payment) => {
      // A card refund is requested from the provider, which cannot be undone.
      const isCard = payment.method === 'card';
      const latest = latestRefund(payment);
      if (isCard) toastSuccess('Refund requested');
      else if (latest) offerUndo('Refund recorded', latest.id);
      else toastSuccess('Refund recorded');
    },
  });
}

/** Ids are assigned in ascending order. */
const latestRefund = ({ refunds }: PaymentDetails) => refunds.toSorted((a, b) => b.id - a.id)[0];

type ReversePaymentRequest = EndpointInput<typeof payments.reversePayment> & {
  idempotencyKey: string;
};

/** Reverses a payment or refund that was recorded by mistake. */
export function useReversePayment() {
  return useMutation({
    mutationFn: (input: ReversePaymentRequest) => callApi(payments.reversePayment, input),
    meta: { errorFallback: "That couldn't be undone. Please try again." },
    // The reply is the payment, even if one of its refunds was reversed.
    onSuccess: (payment, { params }) =>
      toastSuccess(payment.id === Number(params.id) ? 'Payment reversed' : 'Refund reversed'),
  });
}

/** Says whether the charges of a returned card payment are still owed. */
export function useSettleReturnedPayment() {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof payments.settleReturnedPayment>) =>
      callApi(payments.settleReturnedPayment, input),
    meta: { errorFallback: "Your answer couldn't be saved. Please try again." },
    onSuccess: () => toastSuccess('Answer saved'),
  });
}

/* Accounts */

export function useUpdateFamily() {
  return useMutation({
    mutationFn: (input: EndpointInput<typeof families.updateFamily>) =>
      callApi(families.updateFamily, input),
    meta: { errorFallback: "We couldn't save the changes. Please try again." },
    onSuccess: () => toastSuccess('Changes saved'),
  });
}

export function useReplacePayLink() {
  return useMutation({
    mutationFn: (id: number) => callApi(families.replacePayLink, { params: { id } }),
    meta: { errorFallback: "The link couldn't be replaced. Please try again." },
    onSuccess: () => toastSuccess('Link replaced', 'The old one no longer works.'),
  });
}

type OpeningBalanceRequest = EndpointInput<typeof families.setOpeningBalance> & {
  idempotencyKey: string;
};

export function useSetOpeningBalance() {
  return useMutation({
    mutationFn: (input: OpeningBalanceRequest) => callApi(families.setOpeningBalance, input),
    meta: { errorFallback: "We couldn't save the opening balance. Please try again." },
    onSuccess: () => toastSuccess('Opening balance saved'),
  });
}

type ReverseChargeRequest = EndpointInput<typeof families.reverseCharge> & {
  idempotencyKey: string;
};

export function useReverseOpeningBalance() {
  return useMutation({
    mutationFn: (input: ReverseChargeRequest) => callApi(families.reverseCharge, input),
    meta: { errorFallback: "That couldn't be undone. Please try again." },
    onSuccess: () => toastSuccess('Opening balance reversed'),
  });
}

export function useDismissReportedTransfer() {
  return useMutation({
    mutationFn: (id: number) => callApi(families.dismissClaim, { params: { id } }),
    meta: { errorFallback: "We couldn't dismiss the report. Please try again." },
  });
}
