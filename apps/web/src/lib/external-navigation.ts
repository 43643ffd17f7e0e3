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
