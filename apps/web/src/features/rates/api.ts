import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { type PriceRiseInput, priceRises } from '@lessonbook/contract/price-rises';
import { type RateInput, rates } from '@lessonbook/contract/rates';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { callAllPages, callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

/** The rates of all students, by student, subject and date. */
export const ratesQuery = queryOptions({
  queryKey: ['/api/rates'],
  queryFn: async () =>
    (await callAllPages(rates.listRates)).toSorted(
      (a, b) =>
        a.studentName.localeCompare(b.studentName) ||
        a.subjectName.localeCompare(b.subjectName) ||
        a.validFrom.localeCompare(b.validFrom),
    ),
});

const formatChange = (changed: number): string | undefined => {
  if (changed === 0) return undefined;
  return changed === 1 ? '1 lesson has a new fee.' : `${changed} lessons have a new fee.`;
};

const formatDrafts = (messages: number): string => {
  if (messages === 0) return 'No messages were drafted.';
  return messages === 1
    ? '1 message is ready to check and send.'
    : `${messages} messages are ready to check and send.`;
};

export function useSaveRate() {
  return useMutation({
    mutationFn: (body: RateInput) => callApi(rates.saveRate, { body }),
    meta: { errorFallback: "The rate couldn't be saved. Please try again." },
    onSuccess: ({ changedSeats }) => toastSuccess('Rate saved', formatChange(changedSeats)),
  });
}

export function useDeleteRate() {
  return useMutation({
    mutationFn: (id: number) => callApi(rates.deleteRate, { params: { id } }),
    meta: { errorFallback: "The rate couldn't be removed. Please try again." },
    onSuccess: ({ changedSeats }) => toastSuccess('Rate removed', formatChange(changedSeats)),
  });
}

export function usePreviewPriceRise() {
  return useMutation({
    mutationFn: (body: PriceRiseInput) => callApi(priceRises.previewPriceRise, { body }),
    meta: { errorFallback: "We couldn't work out the new prices. Please try again." },
  });
}

type SaveRequest = EndpointInput<typeof priceRises.savePriceRise> & { idempotencyKey: string };

export function useSavePriceRise() {
  return useMutation({
    mutationFn: (input: SaveRequest) => callApi(priceRises.savePriceRise, input),
    meta: { errorFallback: "The new prices couldn't be saved. Please try again." },
    onSuccess: ({ messages }) => toastSuccess('New prices saved', formatDrafts(messages)),
  });
}
