import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * Browsers open a tab only during a user gesture, but the URL is known only later. So the tab is opened first and given
 * its URL afterwards.
 */
export function openTab() {
  const tab = window.open('', '_blank');
  return {
    /** False if the browser blocked the tab, in which case a link is needed. */
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
 * Redirects to another site and stays busy until that page loads. On Back, browsers may restore this page from their
 * cache, so the flag is then reset.
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
 * The value of a query parameter that another site set when redirecting back to us. It is read once and removed from
 * the URL, because it does not apply to a reload or a bookmark. `to` is the path to keep, by default the current one.
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
