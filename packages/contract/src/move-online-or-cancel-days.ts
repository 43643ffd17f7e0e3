import * as z from 'zod/mini';
import { dayNumber } from './dates.ts';
import { isMeetingLink } from './detect-online-place.ts';
import { defineEndpoints } from './endpoint.ts';
import { CHANNELS } from './messages.ts';
import { date, IdParams, id, optionalText } from './schema-fields.ts';
import { SessionRow } from './sessions.ts';

/* Moves the lessons of one or several days online, or cancels them, in one step; for example because of snow. */

export const MAX_DAY_CHANGE_DAYS = 31;
export const MAX_DAY_CHANGE_SESSIONS = 500;

export const DAY_ACTIONS = ['online', 'cancel'] as const;
export type DayAction = (typeof DAY_ACTIONS)[number];

/** Why some lessons on these days stay unchanged. */
export const DAY_UNCHANGED_REASONS = ['cancelled', 'moved', 'completed', 'over', 'online'] as const;
export type DayUnchangedReason = (typeof DAY_UNCHANGED_REASONS)[number];

const sessionIds = z
  .array(id('Please choose a lesson'))
  .check(z.maxLength(MAX_DAY_CHANGE_SESSIONS, 'Please choose fewer days'));

const days = {
  action: z.enum(DAY_ACTIONS, { error: 'Please choose what happens to the lessons' }),
  fromDate: date('First day is required'),
  toDate: date('Last day is required'),
  /** If set, the days are added to this earlier change. They start on the day after its last day. */
  extendsId: z.optional(z.nullable(id('Please choose a change'))),
  /** For online lessons that have no link of their own. */
  usesGoogleMeet: z._default(z.boolean(), false),
  link: z.optional(
    z.nullable(
      z.union([
        z.literal(''),
        z
          .string()
          .check(
            z.trim(),
            z.maxLength(500, 'Please use at most 500 characters'),
            z.refine(isMeetingLink, 'Please enter a link that starts with https://'),
          ),
      ]),
    ),
  ),
  /** A sentence for the families. */
  note: optionalText(500),
};

type Range = { fromDate: string; toDate: string };
const endsNotBeforeFrom = z.refine<Range>(({ fromDate, toDate }) => toDate >= fromDate, {
  error: "The last day can't be before the first day",
  path: ['toDate'],
});
const isWithinDayLimit = z.refine<Range>(
  ({ fromDate, toDate }) => dayNumber(toDate) - dayNumber(fromDate) < MAX_DAY_CHANGE_DAYS,
  { error: `Please choose at most ${MAX_DAY_CHANGE_DAYS} days`, path: ['toDate'] },
);

export const DayChangePreviewInput = z
  .object({
    ...days,
    /** If omitted, Google Meet is used where it is offered, and the link is the most recently used one. */
    usesGoogleMeet: z.optional(z.boolean()),
    keptSessionIds: z._default(sessionIds, []),
  })
  .check(endsNotBeforeFrom, isWithinDayLimit);
export type DayChangePreviewInput = z.infer<typeof DayChangePreviewInput>;

export const DayChangeInput = z
  .object({
    ...days,
    /** The lessons that change; the others are kept. */
    sessionIds: sessionIds.check(z.minLength(1, 'Please choose at least one lesson')),
    notify: z._default(z.boolean(), true),
  })
  .check(endsNotBeforeFrom, isWithinDayLimit);
export type DayChangeInput = z.infer<typeof DayChangeInput>;

/** The message that one person would receive. */
export const PlannedNotice = z.object({
  familyId: z.nullable(z.number()),
  toName: z.string(),
  /** First names. */
  students: z.array(z.string()),
  sessionIds: z.array(z.number()),
  channel: z.enum(CHANNELS),
  address: z.nullable(z.string()),
  /** Why the message cannot be sent, or null. */
  problem: z.nullable(z.string()),
  subject: z.string(),
  text: z.string(),
});
export type PlannedNotice = z.infer<typeof PlannedNotice>;

export const DayChangePreview = z.object({
  /** The lessons that can change, including those that are kept. */
  sessions: z.array(SessionRow),
  unchanged: z.array(z.object({ reason: z.enum(DAY_UNCHANGED_REASONS), count: z.number() })),
  notices: z.array(PlannedNotice),
  /** Whether some of the lessons have no meeting link of their own. */
  needsLink: z.boolean(),
  offersGoogleMeet: z.boolean(),
  /** The link that was used last. */
  suggestedLink: z.nullable(z.string()),
});
export type DayChangePreview = z.infer<typeof DayChangePreview>;

export const DayChange = z.object({
  id: z.number(),
  action: z.enum(DAY_ACTIONS),
  fromDate: z.string(),
  toDate: z.string(),
  sessionCount: z.number(),
});
export type DayChange = z.infer<typeof DayChange>;

/** The number of messages by outcome. */
const sent = {
  emailed: z.number(),
  /** WhatsApp messages for the tutor to send. */
  toSend: z.number(),
  notSent: z.number(),
};

export const dayChanges = defineEndpoints({
  listDayChanges: {
    method: 'GET',
    path: '/api/day-changes',
    access: 'login',
    summary: 'Today and future days whose lessons were moved online or cancelled together',
    reply: z.array(DayChange),
  },
  previewDayChange: {
    method: 'POST',
    path: '/api/day-changes/preview',
    access: 'login',
    summary:
      'Preview moving the lessons of one or several days online, or cancelling them: the lessons that change, the others, and the messages to families',
    body: DayChangePreviewInput,
    reply: DayChangePreview,
  },
  changeDays: {
    method: 'POST',
    path: '/api/day-changes',
    access: 'login',
    summary: 'Move the lessons of one or several days online, or cancel them free of charge',
    body: DayChangeInput,
    reply: z.extend(DayChange, sent),
    status: 201,
    idempotent: true,
  },
  undoDayChange: {
    method: 'POST',
    path: '/api/day-changes/:id/undo',
    access: 'login',
    summary:
      'Undo moving online or cancelling the lessons of one or several days, for the lessons still to come',
    params: IdParams,
    reply: z.object({ restored: z.number(), ...sent }),
  },
});
