import { FIRST_VIEW_ID, type PortalInitialData } from '@lessonbook/contract/portal';
import { systemNow } from '@lessonbook/contract/time';
import type { QueryClient } from '@tanstack/react-query';
import {
  portalLessonsQuery,
  portalLoginQuery,
  portalSignInOptionsQuery,
} from './signed-in-contact-api.ts';

/** How long the data that came with the HTML is not requested again. */
const FRESH_MS = 10_000;

/** Puts the data that the server sent with the HTML into the query cache, so that the page need not request it. */
export function hydrateQueryCacheFromHtml(client: QueryClient): void {
  const element = document.getElementById(FIRST_VIEW_ID);
  if (!element) return;
  // The next person who uses this browser must not find the data in the page.
  element.remove();
  const view = JSON.parse(element.textContent) as PortalInitialData;
  const { options, login, lessons } = view;
  const fresh = { updatedAt: systemNow().getTime() + FRESH_MS };
  client.setQueryData(portalSignInOptionsQuery.queryKey, options, fresh);
  client.setQueryData(portalLoginQuery.queryKey, login, fresh);
  if (lessons)
    client.setQueryData(portalLessonsQuery(lessons.publicId).queryKey, lessons.page, fresh);
}
