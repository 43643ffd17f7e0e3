import { FullPageMessage } from './FullPageMessage.tsx';

/** For a page that crashed or a chunk that could not be fetched, so it loads nothing else. Reloading gets the latest version. */
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
