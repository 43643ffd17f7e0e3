import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

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
