import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { publicId } from './portal.ts';

/* The calendar feed of a person who uses the family portal. In its own module, because only one dialog of the portal needs it. */

export const PortalFeed = z.object({
  /** For calendar apps; gives read access to the lessons without a login. Null if the person has not created it. */
  url: z.nullable(z.string()),
});
export type PortalFeed = z.infer<typeof PortalFeed>;

export const portalFeeds = defineEndpoints({
  portalFeed: {
    method: 'GET',
    path: '/api/portal/tutors/:publicId/feed',
    access: 'contact',
    summary: "The private URL of this person's calendar feed",
    params: z.object({ publicId }),
    reply: PortalFeed,
  },
  createPortalFeed: {
    method: 'POST',
    path: '/api/portal/tutors/:publicId/feed',
    access: 'contact',
    summary: "Create this person's calendar feed, or replace its URL; the old one stops working",
    params: z.object({ publicId }),
    reply: PortalFeed,
  },
  deletePortalFeed: {
    method: 'DELETE',
    path: '/api/portal/tutors/:publicId/feed',
    access: 'contact',
    summary: "Delete this person's calendar feed",
    params: z.object({ publicId }),
    reply: PortalFeed,
  },
  readPortalFeed: {
    method: 'GET',
    // Some calendar apps require the .ics extension.
    path: '/api/portal/feeds/:token.ics',
    access: 'public',
    summary: 'The iCalendar feed of a portal user; the token in the path is the only credential',
    params: z.object({ token: z.string().check(z.minLength(20), z.maxLength(100)) }),
    file: 'text/calendar',
    allowCrossOrigin: true,
    reply: z.string(),
  },
});
