import type { RouterHistory } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/**
 * Browser Back closes the top layer (dialog, palette, menu) instead of leaving the page.
 *
 * While a layer is open, the page has a second history entry with the same URL. Back leaves that entry, and the layer is
 * closed. The entry stays when a layer is closed in another way, because `history.back()` is asynchronous and could undo
 * a navigation that follows; a later Back then skips it.
 */
const layers: { close: () => void }[] = [];

interface EntryState {
  __TSR_index?: number;
  isLayer?: boolean;
}

const currentState = () => window.history.state as EntryState | null;

function addLayerEntry() {
  if (currentState()?.isLayer) return;
  // The router replaces `history.pushState` and would load the page again.
  History.prototype.pushState.call(window.history, { ...currentState(), isLayer: true }, '');
}

/** Calls `close` on browser Back while `opened` is true and no other layer is on top. */
export function useCloseOnBack(opened: boolean, close: () => void): void {
  const onBack = useEffectEvent(close);
  useEffect(() => {
    if (!opened) return undefined;
    const layer = { close: () => onBack() };
    layers.push(layer);
    addLayerEntry();
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, [opened]);
}

let getLocation: (() => RouterHistory['location']) | null = null;

/**
 * Called before the router is created: browsers call the window's listeners in the order in which they were added, and
 * the router must not see a move between the two entries of a page. Both entries have the same router index.
 */
export function handleBack(getRouterLocation: () => RouterHistory['location']): void {
  if (!getLocation) window.addEventListener('popstate', onPopState);
  getLocation = getRouterLocation;
}

function onPopState(event: PopStateEvent) {
  const state = event.state as EntryState | null;
  const location = getLocation?.();
  if (!state || !location || state.__TSR_index !== location.state.__TSR_index) return;
  event.stopImmediatePropagation();
  if (state.isLayer) return;
  const top = layers.at(-1);
  if (!top) return window.history.back();
  // The page may have replaced its search parameters since the second entry was added.
  History.prototype.replaceState.call(window.history, location.state, '', location.href);
  const isLast = layers.length === 1;
  top.close();
  if (!isLast) addLayerEntry();
}
