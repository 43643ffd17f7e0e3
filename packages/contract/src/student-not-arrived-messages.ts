import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { CHANNELS, MESSAGE_STATES, Message } from './messages.ts';
import { IdParams, id, optionalText } from './schema-fields.ts';
import { MAX_GROUP_STUDENTS } from './sessions.ts';

/* While a lesson is in progress, the tutor can message the main contact of a student who has not arrived. */

/** A student, and the message that can be sent about them. */
export const NotArrivedStudent = z.object({
  studentId: z.number(),
  studentName: z.string(),
  toName: z.string(),
  /** The channels that the tutor may choose, the suggested one first. */
  channels: z.array(
    z.object({
      channel: z.enum(CHANNELS),
      address: z.nullable(z.string()),
      problem: z.nullable(z.string()),
    }),
  ),
  subject: z.string(),
  text: z.string(),
  /** The last message about this student and lesson. */
  sent: z.nullable(
    z.object({
      messageId: z.number(),
      channel: z.enum(CHANNELS),
      state: z.enum(MESSAGE_STATES),
      toName: z.string(),
      at: z.string(),
      problem: z.nullable(z.string()),
      /** True if the message failed, an attempt to deliver it failed, or the tutor dismissed it. */
      canSendAgain: z.boolean(),
    }),
  ),
});
export type NotArrivedStudent = z.infer<typeof NotArrivedStudent>;

export const NotArrivedInput = z.object({
  messages: z
    .array(
      z.object({
        studentId: id('Student is required'),
        channel: z.enum(CHANNELS, { error: 'Please choose how to send it' }),
        subject: optionalText(200),
        text: optionalText(4000),
        /** The failed or dismissed message that this one replaces. */
        replacesMessageId: z.nullable(z.number()),
      }),
    )
    .check(z.minLength(1, 'Please choose a student'), z.maxLength(MAX_GROUP_STUDENTS)),
});
export type NotArrivedInput = z.infer<typeof NotArrivedInput>;

export const notArrived = defineEndpoints({
  previewNotArrived: {
    method: 'GET',
    path: '/api/sessions/:id/not-arrived',
    access: 'login',
    summary:
      "Preview the messages saying that students haven't arrived, while the lesson is in progress",
    params: IdParams,
    reply: z.array(NotArrivedStudent),
  },
  sendNotArrived: {
    method: 'POST',
    path: '/api/sessions/:id/not-arrived',
    access: 'login',
    summary:
      "Send the carers the messages saying that students haven't arrived, once for each lesson and student",
    params: IdParams,
    body: NotArrivedInput,
    reply: z.object({ messages: z.array(Message) }),
    status: 201,
    idempotent: true,
  },
});
