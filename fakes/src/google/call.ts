import type { Channels } from './channels.ts';
import type { ListMemory } from './list-memory.ts';
import { notFound } from './refusal.ts';
import type { StoredCalendar, World } from './world.ts';

/** One request to the API, known to come from that user. */
export interface Call {
  world: World;
  channels: Channels;
  lists: ListMemory;
  user: string;
  path: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, unknown>;
  ifMatch: string | null;
  ifNoneMatch: string | null;
}

/** Others' calendars, deleted ones and those the app did not make look alike from here. */
export function calendarOf({ world, user, path }: Call): StoredCalendar {
  const calendar = world.calendars.get(path['calendarId'] ?? '');
  if (!calendar || calendar.owner !== user || calendar.deleted) throw notFound();
  return calendar;
}
