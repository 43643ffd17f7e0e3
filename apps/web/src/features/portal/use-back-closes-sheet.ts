import { useEffect, useEffectEvent } from 'react';

const isLayerEntry = (): boolean =>
  (window.history.state as { isLayer?: boolean } | null)?.isLayer === true;

/**
 * Adds a second history entry with the same URL while a sheet is open, so that browser Back closes the sheet instead of
 * leaving the page.
 */
export function useBackClosesSheet(onBack: () => void) {
  const handleBack = useEffectEvent(onBack);
  useEffect(() => {
    const onPopState = () => {
      if (!isLayerEntry()) handleBack();
    };
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, []);
  return {
    add: () => {
      if (!isLayerEntry()) window.history.pushState({ isLayer: true }, '');
    },
    remove: () => {
      if (isLayerEntry()) window.history.back();
    },
  };
}
