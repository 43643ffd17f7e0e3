import { PublicButton } from '../../components/PublicButtons.tsx';
import { ApiError } from '../../lib/http.ts';
import { getErrorMessage } from '../../lib/query-client.ts';
import classes from './PortalLoadStates.module.css';

export const PortalLoading = () => (
  <div role="status" aria-label="Loading" className={classes.placeholder} />
);

interface ErrorProps {
  error: Error;
  onRetry: () => void;
}

export function PortalError({ error, onRetry }: ErrorProps) {
  return (
    <>
      <p role="alert">{toErrorText(error)}</p>
      <PublicButton onClick={onRetry}>Try again</PublicButton>
    </>
  );
}

function toErrorText(error: Error): string {
  const status = error instanceof ApiError ? error.status : 500;
  if (status === 429)
    return 'That was too many attempts in a short time. Please wait a minute and try again.';
  return status === 0 ? getErrorMessage(error, {}) : "We couldn't load this. Please try again.";
}
