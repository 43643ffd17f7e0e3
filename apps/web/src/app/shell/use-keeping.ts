import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { meQuery } from '../../features/accounts/me.ts';
import { useOwnerOfDevice } from '../../lib/own-device-switch.ts';

/** On a device that a tutor called their own: after each answer about who is signed in, what is kept is looked after. */
export function useKeeping() {
  const { data: user, dataUpdatedAt } = useQuery(meQuery);
  const owner = useOwnerOfDevice();
  useEffect(() => {
    if (!user || owner === null || dataUpdatedAt === 0) return;
    void import('../../features/offline/api.ts').then(
      ({ keepInStep }) => keepInStep(user),
      // The chunk could not be fetched; the next answer tries again.
      () => undefined,
    );
  }, [user, owner, dataUpdatedAt]);
}
