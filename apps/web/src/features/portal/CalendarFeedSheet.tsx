import { portalFeeds } from '@lessonbook/contract/portal-feed';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { CopyButton } from '../../components/CopyButton.tsx';
import { PublicButton } from '../../components/PublicButtons.tsx';
import { callApi } from '../../lib/http.ts';
import { getErrorMessage } from '../../lib/query-client.ts';
import { BottomSheet, type SheetProps } from './BottomSheet.tsx';
import classes from './CalendarFeedSheet.module.css';
import sheetClasses from './CancelSheet.module.css';
import { PortalError, PortalLoading } from './PortalLoadStates.tsx';

const portalFeedQuery = (publicId: string) =>
  queryOptions({
    queryKey: ['/api/portal/feed', publicId],
    queryFn: () => callApi(portalFeeds.portalFeed, { params: { publicId } }),
    staleTime: 0,
  });

function useChangeFeed(publicId: string, endpoint: 'createPortalFeed' | 'deletePortalFeed') {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(portalFeeds[endpoint], { params: { publicId } }),
    meta: { isErrorShownInline: () => true },
    onSuccess: (feed) => client.setQueryData(portalFeedQuery(publicId).queryKey, feed),
  });
}

const FEED_ERRORS = { errorFallback: "We couldn't change the address. Please try again." };

type Props = Pick<SheetProps, 'publicId' | 'page' | 'onClose'>;

/** Creates the private address of the calendar feed, and shows how to use it. */
export function CalendarFeedSheet({ publicId, page: { tutorName }, onClose }: Props) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const { data, error, refetch } = useQuery(portalFeedQuery(publicId));
  const create = useChangeFeed(publicId, 'createPortalFeed');
  const remove = useChangeFeed(publicId, 'deletePortalFeed');
  const [isReplacing, setIsReplacing] = useState(false);
  const isBusy = create.isPending || remove.isPending;
  const problem = create.error ?? remove.error;

  const onSuccess = () => setIsReplacing(false);
  function createAddress() {
    remove.reset();
    create.mutate(undefined, { onSuccess });
  }
  function removeAddress() {
    create.reset();
    remove.mutate(undefined, { onSuccess });
  }

  const close = (
    <PublicButton secondary disabled={isBusy} onClick={onClose}>
      Close
    </PublicButton>
  );
  const actions = () => {
    if (!data) return close;
    if (data.url === null)
      return (
        <>
          {close}
          <PublicButton disabled={isBusy} onClick={createAddress}>
            {create.isPending ? 'Creating...' : 'Create the address'}
          </PublicButton>
        </>
      );
    if (!isReplacing)
      return (
        <>
          {close}
          <PublicButton secondary onClick={() => setIsReplacing(true)}>
            Replace the address
          </PublicButton>
        </>
      );
    return (
      <>
        <PublicButton secondary disabled={isBusy} onClick={() => setIsReplacing(false)}>
          Keep address
        </PublicButton>
        <PublicButton secondary disabled={isBusy} onClick={removeAddress}>
          {remove.isPending ? 'Removing...' : 'Remove address'}
        </PublicButton>
        <PublicButton disabled={isBusy} onClick={createAddress}>
          {create.isPending ? 'Replacing...' : 'Replace address'}
        </PublicButton>
      </>
    );
  };

  return (
    <BottomSheet
      ref={dialogRef}
      title={isReplacing ? 'Replace the address?' : 'Add to my calendar'}
      canDismiss={!isBusy}
      canClose={!isBusy}
      onClose={onClose}
      actions={
        <>
          {problem && (
            <p role="alert" className={sheetClasses.problem}>
              {getErrorMessage(problem, FEED_ERRORS)}
            </p>
          )}
          {actions()}
        </>
      }
    >
      {!data && error && <PortalError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <PortalLoading />}
      {data?.url === null && (
        <p>
          Create a private address for your calendar app. It shows your lessons with {tutorName} and
          updates automatically when something changes.
        </p>
      )}
      {data?.url && isReplacing && (
        <p>
          The old address will stop working straight away. If you replace it, add the new address to
          your calendars; if you remove it, they'll stop updating.
        </p>
      )}
      {data?.url && !isReplacing && <Address url={data.url} />}
    </BottomSheet>
  );
}

const Address = ({ url }: { url: string }) => (
  <>
    <div className={classes.address}>
      <code>{url}</code>
      <CopyButton text={url} itemName="calendar address" />
    </div>
    <ol className={classes.steps}>
      <li>Copy the address.</li>
      <li>
        In your calendar app, add a calendar by its address. Look for “From URL” in Google Calendar
        (on a computer), “Add Subscription Calendar” on iPhone or “Subscribe from web” in Outlook.
      </li>
      <li>Paste the address and save. Changes can take a few hours to appear.</li>
    </ol>
    <p className={classes.hint}>
      Anyone who has this address can see these lessons. If it reaches the wrong person, replace it.
    </p>
  </>
);
