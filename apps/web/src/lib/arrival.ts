import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * With what word a page elsewhere sent the browser back to us, in the address. It is read once and taken out: it is true
 * of this arrival and not of a reload or a bookmark. `to` is the address that stays, this one unless stated.
 */
export function useArrival(name: string, to: '.' | '/mobile-settings' = '.'): string | null {
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
