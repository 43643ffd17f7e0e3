import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';

export const CancellationPolicy = z.object({
  noticeHours: z
    .number({ error: 'Please enter a number of hours' })
    .check(z.int(), z.minimum(0, 'Please enter 0 or more'), z.maximum(720, 'At most 720 hours')),
  feePercent: z
    .number({ error: 'Please enter a percentage' })
    .check(z.int(), z.minimum(0, 'Please enter 0 to 100'), z.maximum(100, 'Please enter 0 to 100')),
});
export type CancellationPolicy = z.infer<typeof CancellationPolicy>;

export const cancellationPolicy = defineEndpoints({
  policy: {
    method: 'GET',
    path: '/api/settings/cancellation-policy',
    access: 'login',
    summary: 'The cancellation policy',
    reply: CancellationPolicy,
  },
  updatePolicy: {
    method: 'PUT',
    path: '/api/settings/cancellation-policy',
    access: 'login',
    summary: 'Change the cancellation policy',
    body: CancellationPolicy,
    reply: CancellationPolicy,
  },
});
