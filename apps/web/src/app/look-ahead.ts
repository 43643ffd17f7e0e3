import type { QueryClient } from '@tanstack/react-query';
import type { RegisteredRouter } from '@tanstack/react-router';
import { meQuery } from '../features/accounts/me.ts';

/**
 * Somebody points at a link, touches it or comes to it by the keyboard: the router then fetches the screen's chunk, and
 * this what the screen will ask for first. Only for a tutor who is known to be signed in.
 */
export function lookAhead(router: RegisteredRouter, queryClient: QueryClient) {
  const fetchChunk = router.preloadRoute;

  async function fetchData(options: object) {
    const tutor = queryClient.getQueryData(meQuery.queryKey);
    const match = router.matchRoutes(router.buildLocation(options as never)).at(-1);
    if (!tutor || !match) return;
    const { fullPath: path, params, search } = match;
    const { fetchMainQuery } = await import('./main-queries.ts');
    await fetchMainQuery({ path, params, search, today: tutor.today }, queryClient);
  }

  router.preloadRoute = (options) => {
    // Merely ahead of time: what does not come now is asked for when the screen opens.
    fetchData(options).catch(() => {});
    return fetchChunk(options);
  };
}
