import { MessageCard } from './MessageCard.tsx';
import { Spot } from './Spot.tsx';

/** A page that broke, or a chunk that could not be fetched. Reloading gets the newest version of both. */
export function RouteError() {
  return (
    <MessageCard
      drawing={<Spot name="alert" size={96} />}
      title="This page did not open"
      action={
        <button type="button" onClick={() => window.location.reload()}>
          Try again
        </button>
      }
    >
      Nothing you have saved is lost.
    </MessageCard>
  );
}
