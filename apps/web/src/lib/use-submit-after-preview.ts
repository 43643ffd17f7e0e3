import type { UseQueryResult } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';

interface Options<T> {
  /** An invalid input is submitted at once, so that its errors are shown. */
  isValid: boolean;
  /** A query with placeholder data; null if there is nothing to show. */
  preview: UseQueryResult<T> | null;
  /** What must not change while the form waits; by default everything in the preview. */
  describe?: (data: T) => unknown;
  /** False if there is nothing to do. */
  canSubmit?: boolean;
  submit: () => void;
}

/**
 * For forms that show what will happen before they are submitted. If the preview is still loading when the button is pressed,
 * the form waits for it and is then submitted, but only if the preview says the same as before; otherwise the user has to see
 * it first.
 */
export function useSubmitAfterPreview<T>({
  isValid,
  preview,
  describe = (data) => data,
  canSubmit = true,
  submit,
}: Options<T>): { isWaiting: boolean; onSubmit: (event: FormEvent) => void } {
  const [isWaiting, setWaiting] = useState(false);
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const isLoading = isValid && (preview?.isPending || preview?.isPlaceholderData || false);

  async function submitOnceLoaded({ data: shown, refetch }: UseQueryResult<T>) {
    setWaiting(true);
    // Joins the request that is in progress.
    const { data, isPlaceholderData } = await refetch({ cancelRefetch: false });
    // The dialog may have been closed in the meantime.
    if (!isMounted.current) return;
    setWaiting(false);
    // Placeholder data means that the input has been changed again.
    if (shown === undefined || data === undefined || isPlaceholderData || !canSubmit) return;
    if (JSON.stringify(describe(data)) === JSON.stringify(describe(shown))) submit();
  }

  return {
    isWaiting,
    onSubmit: (event) => {
      event.preventDefault();
      if (isLoading && preview) void submitOnceLoaded(preview);
      else if (!isValid || (canSubmit && !preview?.isError)) submit();
    },
  };
}
