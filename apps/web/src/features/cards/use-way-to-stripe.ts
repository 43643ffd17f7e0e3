import { useLeaving } from '../../lib/leaving.ts';
import { newTab } from '../../lib/new-tab.ts';
import { useConnectCards } from './api.ts';

/** To wherever the next step is done. */
export function useWayToStripe() {
  const { mutate, isPending } = useConnectCards();
  const { leaving, leaveFor } = useLeaving();
  return {
    isBusy: isPending || leaving,
    /** In this window: Stripe sends it back when it is done. */
    go: () => mutate(undefined, { onSuccess: ({ url }) => leaveFor(url) }),
    /** Beside this window: nothing leads back from the tutor's own pages there. Only while a tap is being dealt with. */
    goBeside() {
      const tab = newTab();
      mutate(undefined, {
        onSuccess: ({ url }) => {
          if (!tab.goTo(url)) leaveFor(url);
        },
        onError: () => tab.close(),
      });
    },
  };
}
