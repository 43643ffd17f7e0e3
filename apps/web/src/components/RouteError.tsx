import { FullPageMessage } from './FullPageMessage.tsx';

/** For a crashed page or a chunk that could not be fetched, so it loads nothing itself. Reloading gets the latest version. */
export function RouteError() {
  return (
    <FullPageMessage
      title="Something went wrong"
      action={
        <button type="button" onClick={() => window.location.reload()}>
          Try again
        </button>
      }
    >
      Everything you've saved is safe.
    </FullPageMessage>
  );
}
