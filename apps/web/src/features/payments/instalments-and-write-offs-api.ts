import { arrears } from '@lessonbook/contract/arrears';
import type { EndpointInput } from '@lessonbook/contract/endpoint';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { callApi } from '../../lib/http.ts';
import { toastSuccess } from '../../lib/toast.ts';

export const arrearsQuery = (familyId: number) =>
  queryOptions({
    queryKey: ['/api/families', familyId, 'arrears'],
    queryFn: () => callApi(arrears.arrears, { params: { id: familyId } }),
  });

type Request<E extends Parameters<typeof callApi>[0]> = EndpointInput<E> & {
  idempotencyKey: string;
};

export const useWriteOff = () =>
  useMutation({
    mutationFn: (input: Request<typeof arrears.writeOff>) => callApi(arrears.writeOff, input),
    meta: { errorFallback: "We couldn't write this off. Please try again." },
    onSuccess: () => toastSuccess('Written off', 'You can reverse this in the account.'),
  });

export const useReverseWriteOff = () =>
  useMutation({
    mutationFn: (input: Request<typeof arrears.reverseWriteOff>) =>
      callApi(arrears.reverseWriteOff, input),
    meta: { errorFallback: "That couldn't be undone. Please try again." },
    onSuccess: () => toastSuccess('Write-off reversed'),
  });

export const useAgreeInstalments = () =>
  useMutation({
    mutationFn: (input: Request<typeof arrears.agreeInstalments>) =>
      callApi(arrears.agreeInstalments, input),
    meta: { errorFallback: "We couldn't save the instalments. Please try again." },
    onSuccess: () => toastSuccess('Instalments agreed'),
  });

export const useEndInstalments = () =>
  useMutation({
    mutationFn: (input: EndpointInput<typeof arrears.endInstalments>) =>
      callApi(arrears.endInstalments, input),
    meta: { errorFallback: "We couldn't end the plan. Please try again." },
    onSuccess: () => toastSuccess('Plan ended'),
  });
