import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * The value of a query parameter that applies only to the first load, such as the result of a redirect from another
 * site. It is read once, and the whole query string is then removed, because it does not apply to a reload or a bookmark.
 * `to` is the path to keep, by default the current one.
 */
export function useOneTimeParam(name: string, to: '.' | '/mobile-settings' = '.'): string | null {
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
