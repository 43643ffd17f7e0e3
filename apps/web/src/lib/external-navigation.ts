import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * A browser opens a tab only during a user gesture, and the URL is known later. So the tab is opened first and gets
 * its URL afterwards.
 */
export function openTab() {
  const tab = window.open('', '_blank');
  return {
    /** False where the browser blocked the tab; then a link is needed. */
    goTo(url: string): boolean {
      if (!tab) return false;
      // The opened page must not access this window.
      tab.opener = null;
      tab.location.replace(url);
      return true;
    },
    close: () => tab?.close(),
  };
}

/**
 * Redirects to another site and stays busy until that page loads. Browsers may restore this page on Back from their
 * cache, so the flag is reset then.
 */
export function useExternalRedirect() {
  const [isRedirecting, setIsRedirecting] = useState(false);
  useEffect(() => {
    const reset = () => setIsRedirecting(false);
    window.addEventListener('pageshow', reset);
    return () => window.removeEventListener('pageshow', reset);
  }, []);
  return {
    isRedirecting,
    redirectTo: (url: string) => {
      setIsRedirecting(true);
      window.location.assign(url);
    },
  };
}

/**
 * The value with which another site redirected back to us. It is read once and removed from the URL, because it does
 * not apply to a reload or a bookmark. `to` is the path that remains, the current one by default.
 */
export function useCallbackParam(name: string, to: '.' | '/mobile-settings' = '.'): string | null {
  const search = useLocation({ select: (location) => location.search as Record<string, unknown> });
  const navigate = useNavigate();
  const [param] = useState(() => {
    const value = search[name];
    return typeof value === 'string' ? value : null;
  });
  const isPresent = name in search;
  useEffect(() => {
    if (isPresent) void navigate({ to, search: {}, replace: true });
  }, [navigate, isPresent, to]);
  return param;
}
