import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { tellTheDay } from './service/day.ts';
import { mailNews } from './service/mail-news.ts';
import { remindEveryone } from './service/reminders.ts';
import { sendMessage } from './service/send.ts';
import { MAIL_NEWS, SEND, TRIES } from './service/send-job.ts';

const send = defineJob({
  ...SEND,
  retries: TRIES,
  retryDelaySeconds: 5,
  sideBySide: 20,
  run: (context, payload, triesBefore) => sendMessage(context, payload, triesBefore),
});

const news = defineJob({
  ...MAIL_NEWS,
  retries: TRIES,
  retryDelaySeconds: 5,
  sideBySide: 5,
  run: (context, payload) => mailNews(context, payload),
});

/** Reminders of lessons and of money that are due by now. */
const remind = defineJob({
  name: 'send-reminders',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 20,
  sideBySide: 1,
  cron: '* * * * *',
  run: (context) => remindEveryone(context),
});

/** What the tutor should know at the end of a day. */
const day = defineJob({
  name: 'daily-digest',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 60,
  sideBySide: 1,
  cron: '*/10 * * * *',
  run: (context) => tellTheDay(context),
});

export const messageJobs = [send, news, remind, day];
