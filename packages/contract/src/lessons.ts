import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { Overlap } from './errors.ts';
import { groupSize, minimumNotAboveMaximum } from './group-size.ts';
import { LessonDate } from './lesson-dates.ts';
import { RECURRENCE_PATTERNS } from './recurrence.ts';
import {
  acceptFull,
  acceptOverlaps,
  currency,
  date,
  endsAfterStart,
  IdParams,
  id,
  idParam,
  majorUnits,
  minorUnits,
  optionalFee,
  optionalText,
  PageQuery,
  requiredLine,
  time,
} from './schema-fields.ts';
import { MAX_GROUP_STUDENTS, PreviousTime } from './sessions.ts';

/* A lesson is the arrangement; a session is one occurrence of it on a particular date. */

export const LESSON_STATUSES = ['scheduled', 'completed', 'cancelled'] as const;

/** Which sessions of the lesson a change applies to. */
export const SCOPES = ['this', 'following', 'all'] as const;
export type Scope = (typeof SCOPES)[number];

/** More than any series has, because sessions are generated one year ahead. */
const MAX_SERIES_SESSIONS = 500;

const endsNotBeforeDate = z.refine<{ date: string; recurringEndDate?: string | null | undefined }>(
  (lesson) => !lesson.recurringEndDate || lesson.recurringEndDate >= lesson.date,
  { error: 'End date must not be before the date', path: ['recurringEndDate'] },
);

const lessonFields = {
  studentId: id('Student is required'),
  subjectId: id('Subject is required'),
  /** For a group, its name. */
  title: requiredLine('Title is required', 200),
  date: date('Date is required'),
  startTime: time('Start time is required'),
  endTime: time('End time is required'),
  /** In major units; null if the lesson is free. Ignored if the lesson uses rates. */
  fee: optionalFee,
  currency: z._default(currency, 'GBP'),
  /** An address or a meeting link. */
  place: optionalText(500),
  /**
   * The calendar event of each session gets a Google Meet link, which becomes the place; `place` is ignored. Can be switched
   * on while Google Calendar is connected. An update that omits it does not change it.
   */
  usesGoogleMeet: z.optional(z.boolean()),
  /**
   * In major units; null means none. Charged once to each payer when a lesson takes place in person. If a new lesson omits
   * it, the largest of the students' travel fees applies. An update that omits it does not change it.
   */
  travelFee: optionalFee,
  notes: optionalText(4000),
  isRecurring: z._default(z.boolean(), false),
  recurringPattern: z._default(z.enum(RECURRENCE_PATTERNS), 'weekly'),
  /** Inclusive; null if the series has no end. */
  recurringEndDate: z.optional(z.nullable(date())),
  /** The minimum and maximum number of students in a group; null means no limit. An update that omits one does not change it. */
  minStudents: groupSize,
  maxStudents: groupSize,
  /** The school terms that a series follows; null for all year. An update that omits it does not change it. */
  termCalendarId: z.optional(z.nullable(id('Please choose school terms'))),
  /** Sent by the form but ignored; the server computes it. */
  duration: z.optional(z.number()),
};

/** 'taught' is completed and paid; 'unpaid' is completed and charged. */
export const PAST_SESSIONS = ['skip', 'taught', 'unpaid'] as const;
export type PastSessions = (typeof PAST_SESSIONS)[number];

export const LessonInput = z
  .object({
    ...lessonFields,
    /** For a repeating lesson that starts in the past: skip the past sessions, or create them as completed. */
    pastSessions: z._default(z.enum(PAST_SESSIONS), 'skip'),
    /** True if no fee was entered: the student's rate for the subject applies, or else the subject's default fee. */
    usesRates: z._default(z.boolean(), false),
    /**
     * The students of a group; the first is the one in studentId. An individual fee replaces the price of a place in the
     * group; null means free.
     */
    students: z.optional(
      z
        .array(z.object({ studentId: id('Student is required'), fee: optionalFee }))
        .check(z.minLength(1, 'Student is required'), z.maxLength(MAX_GROUP_STUDENTS)),
    ),
    acceptFull,
    acceptOverlaps,
  })
  .check(endsAfterStart, endsNotBeforeDate, minimumNotAboveMaximum);
export type LessonInput = z.infer<typeof LessonInput>;

export const LessonUpdate = z
  .object({
    ...lessonFields,
    scope: z.enum(SCOPES),
    /** The new price of one place in a group; if omitted, `fee` must be the sum. Individual prices do not change. */
    seatFee: optionalFee,
    /** The session from which the tutor started the change. */
    sessionId: id('Please choose a lesson'),
    /** Whether to also change sessions that were edited individually. */
    includeEdited: z._default(z.boolean(), false),
    /** True: the student's rate applies, or else the subject's default fee. If omitted, an unchanged fee keeps its source. */
    usesRates: z.optional(z.boolean()),
    /** To undo a move: the sessions that it cancelled because of time off. They are scheduled again before the change. */
    restoreSessionIds: z._default(
      z.array(id('Please choose a lesson')).check(z.maxLength(MAX_SERIES_SESSIONS)),
      [],
    ),
    acceptOverlaps,
  })
  .check(endsAfterStart, endsNotBeforeDate, minimumNotAboveMaximum);
export type LessonUpdate = z.infer<typeof LessonUpdate>;

export const Lesson = z.object({
  id: z.number(),
  title: z.string(),
  date: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  status: z.enum(LESSON_STATUSES),
  /** In major units, as the specification defines it. For a group, the sum of the fees of its current students. */
  fee: z.nullable(majorUnits),
  /** The price of one place in a group; the fee of a lesson with one student. */
  seatFee: z.nullable(majorUnits),
  minStudents: z.nullable(z.number()),
  maxStudents: z.nullable(z.number()),
  /** Whether the fee follows the students' rates; `fee` is then that of the next session. */
  usesRates: z.boolean(),
  /** For a group, the first student. */
  studentId: z.number(),
  studentName: z.string(),
  subjectId: z.number(),
  subjectName: z.string(),
  currency,
  place: z.nullable(z.string()),
  usesGoogleMeet: z.boolean(),
  travelFee: z.nullable(minorUnits),
  notes: z.nullable(z.string()),
  isRecurring: z.boolean(),
  recurringPattern: z.enum(RECURRENCE_PATTERNS),
  /** The day of the month for the pattern 'monthly'; the weekday (Monday is 1) for the other patterns. */
  recurringDay: z.nullable(z.number()),
  recurringEndDate: z.nullable(z.string()),
  termCalendarId: z.nullable(z.number()),
  duration: z.number(),
  nextSession: z.nullable(
    z.object({ id: z.number(), date: z.string(), startTime: z.string(), endTime: z.string() }),
  ),
  counts: z.object({ scheduled: z.number(), completed: z.number(), cancelled: z.number() }),
  /** The lesson this one was split from. */
  continuesLessonId: z.nullable(z.number()),
  /** All students who are or were in the lesson. The dates are inclusive; null means from the start, or with no end date. */
  students: z.array(
    z.object({
      studentId: z.number(),
      name: z.string(),
      /** The student's own fee; 0 is free, and null means the lesson's fee. */
      fee: z.nullable(majorUnits),
      fromDate: z.nullable(z.string()),
      toDate: z.nullable(z.string()),
    }),
  ),
});
export type Lesson = z.infer<typeof Lesson>;

export const LessonDetails = z.extend(Lesson, {
  /** Scheduled dates that have not ended, earliest first. */
  upcoming: z.array(LessonDate),
  /** All other dates, latest first. */
  past: z.array(LessonDate),
  /** Charged and unpaid amounts, one entry per currency. */
  money: z.array(z.object({ currency, charged: minorUnits, outstanding: minorUnits })),
});
export type LessonDetails = z.infer<typeof LessonDetails>;

/** The effects of a change, shown before it is saved. */
export const ChangeSummary = z.object({
  changed: z.number(),
  created: z.number(),
  removed: z.number(),
  /** How many sessions stay unchanged, by reason. */
  unchanged: z.array(
    z.object({
      reason: z.enum(['completed', 'cancelled', 'invoiced', 'moved', 'edited', 'past']),
      count: z.number(),
    }),
  ),
  firstDate: z.nullable(z.string()),
  lastDate: z.nullable(z.string()),
  overlaps: z.array(Overlap),
  /** Sessions of a series that fall within the tutor's time off. They are saved as cancelled. */
  skipped: z.array(z.object({ sessionId: z.number(), date: z.string() })),
  /** Dates of a series that fall outside the school terms that it follows. They have no session. */
  outsideTerms: z.array(z.string()),
});
export type ChangeSummary = z.infer<typeof ChangeSummary>;

const SaveLessonReply = z.object({
  lessonId: z.number(),
  sessionId: z.nullable(z.number()),
  consequences: ChangeSummary,
  /** The upcoming sessions of a series whose time has changed, for the notice to the families. */
  moved: z.array(PreviousTime),
});

const ScopeQuery = z.object({
  scope: z.enum(SCOPES),
  sessionId: idParam,
});

export const lessons = defineEndpoints({
  listLessons: {
    method: 'GET',
    path: '/api/lessons',
    access: 'login',
    summary: 'Lessons with their next session and numbers of sessions, sorted by id',
    query: PageQuery,
    reply: z.array(Lesson),
  },
  createLesson: {
    method: 'POST',
    path: '/api/lessons',
    access: 'login',
    summary: 'Add a one-time or repeating lesson with its sessions',
    body: LessonInput,
    reply: SaveLessonReply,
    status: 201,
    idempotent: true,
  },
  previewNewLesson: {
    method: 'POST',
    path: '/api/lessons/preview',
    access: 'login',
    summary: 'Preview a new lesson',
    body: LessonInput,
    reply: ChangeSummary,
  },
  lesson: {
    method: 'GET',
    path: '/api/lessons/:id',
    access: 'login',
    summary: 'A lesson with its sessions and totals',
    params: IdParams,
    reply: LessonDetails,
  },
  updateLesson: {
    method: 'PUT',
    path: '/api/lessons/:id',
    access: 'login',
    summary: 'Change one session of a lesson, this and the following sessions, or all of them',
    params: IdParams,
    body: LessonUpdate,
    reply: SaveLessonReply,
    idempotent: true,
  },
  previewLessonChange: {
    method: 'POST',
    path: '/api/lessons/:id/preview',
    access: 'login',
    summary: 'Preview changing a lesson',
    params: IdParams,
    body: LessonUpdate,
    reply: ChangeSummary,
  },
  deleteLesson: {
    method: 'DELETE',
    path: '/api/lessons/:id',
    access: 'login',
    summary:
      'Cancel one session of a lesson, this and the following sessions, or all of them, without a fee',
    params: IdParams,
    query: ScopeQuery,
    reply: ChangeSummary,
  },
  previewLessonDelete: {
    method: 'GET',
    path: '/api/lessons/:id/delete-preview',
    access: 'login',
    summary: 'Preview cancelling sessions of a lesson',
    params: IdParams,
    query: ScopeQuery,
    reply: ChangeSummary,
  },
});
