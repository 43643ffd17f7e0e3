import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * A browser opens a tab only while a tap is being dealt with, and the address comes a moment later. So the tab is opened
 * first and sent on its way when the address is known.
 */
export function openTab() {
  const tab = window.open('', '_blank');
  return {
    /** False where the browser did not allow it; then a link has to do. */
    goTo(address: string): boolean {
      if (!tab) return false;
      // What is opened there must not reach back into the book.
      tab.opener = null;
      tab.location.replace(address);
      return true;
    },
    close: () => tab?.close(),
  };
}

/**
 * Sends the browser to a page elsewhere. Until that has come the screen stays busy. Browsers keep a page that was left
 * and show it again on Back as it was, so it must then be of use again.
 */
export function useExternalRedirect() {
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    const backAgain = () => setLeaving(false);
    window.addEventListener('pageshow', backAgain);
    return () => window.removeEventListener('pageshow', backAgain);
  }, []);
  return {
    leaving,
    leaveFor: (url: string) => {
      setLeaving(true);
      window.location.assign(url);
    },
  };
}

/**
 * With what word a page elsewhere sent the browser back to us, in the address. It is read once and taken out: it is true
 * of this arrival and not of a reload or a bookmark. `to` is the address that stays, this one unless stated.
 */
export function useCallbackParam(name: string, to: '.' | '/mobile-settings' = '.'): string | null {
  const search = useLocation({ select: (location) => location.search as Record<string, unknown> });
  const navigate = useNavigate();
  const [word] = useState(() => {
    const value = search[name];
    return typeof value === 'string' ? value : null;
  });
  const isThere = name in search;
  useEffect(() => {
    if (isThere) void navigate({ to, search: {}, replace: true });
  }, [navigate, isThere, to]);
  return word;
}
