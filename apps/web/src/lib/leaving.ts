import { useEffect, useState } from 'react';

/**
 * Sends the browser to a page elsewhere. Until that has come the screen stays busy. Browsers keep a page that was left
 * and show it again on Back as it was, so it must then be of use again.
 */
export function useLeaving() {
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
