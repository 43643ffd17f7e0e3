import { FIRST_VIEW_ID, type PortalFirstView } from '@lessonbook/contract/portal';
import { systemNow } from '@lessonbook/contract/time';
import type { QueryClient } from '@tanstack/react-query';
import { portalLessonsQuery, portalLoginQuery, portalSignInOptionsQuery } from './portal-api.ts';

/** How long what came with the HTML is not requested again. */
const FRESH_MS = 10_000;

/** Takes over what the server has sent with the HTML. Without it, the page requests the same. */
export function loadFirstView(client: QueryClient): void {
  const element = document.getElementById(FIRST_VIEW_ID);
  if (!element) return;
  // The next person at this browser must not find it.
  element.remove();
  const view = JSON.parse(element.textContent) as PortalFirstView;
  const { options, login, lessons } = view;
  const fresh = { updatedAt: systemNow().getTime() + FRESH_MS };
  client.setQueryData(portalSignInOptionsQuery.queryKey, options, fresh);
  client.setQueryData(portalLoginQuery.queryKey, login, fresh);
  if (lessons)
    client.setQueryData(portalLessonsQuery(lessons.publicId).queryKey, lessons.page, fresh);
}
