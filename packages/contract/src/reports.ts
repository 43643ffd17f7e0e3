import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { currency } from './field.ts';
import { SessionRow } from './sessions.ts';

/** A list shows at most this many; the counts tell the truth beyond it. */
export const HOME_LIST_CAP = 5;

export const Dashboard = z.object({
  today: z.string(),
  todayCount: z.number(),
  upcoming: z.array(SessionRow),
  incomplete: z.array(SessionRow),
  incompleteCount: z.number(),
  /** One row for each family: its oldest unpaid lesson stands for all. */
  unpaid: z.array(
    z.object({
      session: SessionRow,
      familyName: z.string(),
      more: z.number(),
      outstanding: z.number(),
    }),
  ),
  unpaidCount: z.number(),
  /** Monday to Sunday around today. */
  week: z.object({
    taught: z.number(),
    total: z.number(),
    money: z.array(z.object({ currency, taught: z.number(), toCome: z.number() })),
  }),
});
export type Dashboard = z.infer<typeof Dashboard>;

export const reports = defineEndpoints({
  dashboard: {
    method: 'GET',
    path: '/api/dashboard',
    access: 'login',
    summary: 'What the home screen shows',
    reply: Dashboard,
  },
});
