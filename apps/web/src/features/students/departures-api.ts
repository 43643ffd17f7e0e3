import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { departures } from '@lessonbook/contract/student-departures';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';

type DepartureBody = EndpointInput<typeof departures.previewDeparture>['body'];

/** Always refetched, because the tutor bases a decision on it. */
export const departurePreviewQuery = (body: DepartureBody) =>
  queryOptions({
    queryKey: ['departure-preview', body],
    queryFn: () => callApi(departures.previewDeparture, { body }),
    staleTime: 0,
    gcTime: 0,
  });

export function useSaveDeparture() {
  return useMutation({
    mutationFn: (
      input: EndpointInput<typeof departures.saveDeparture> & { idempotencyKey: string },
    ) => callApi(departures.saveDeparture, input),
    meta: { errorFallback: "That couldn't be saved. Please try again." },
  });
}
