import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { IdParams } from './schema-fields.ts';

export const Export = z.object({
  id: z.number(),
  state: z.enum(['waiting', 'making', 'ready', 'failed']),
  requestedAt: z.string(),
  /** The number of tables written so far, and the total. */
  done: z.number(),
  total: z.number(),
  bytes: z.number(),
  expiresAt: z.string(),
});
export type Export = z.infer<typeof Export>;

export const dataExport = defineEndpoints({
  latestExport: {
    method: 'GET',
    path: '/api/exports/latest',
    access: 'login',
    summary: 'The latest export and its progress',
    reply: z.object({ export: z.nullable(Export) }),
  },
  requestExport: {
    method: 'POST',
    path: '/api/exports',
    access: 'login',
    requires: 'recent-auth',
    summary: 'Request an export of all data, as JSON and CSV',
    reply: Export,
    status: 202,
  },
  downloadExport: {
    method: 'GET',
    path: '/api/exports/:id.zip',
    access: 'login',
    requires: 'recent-auth',
    summary: 'Download the export; available for 24 hours',
    params: IdParams,
    file: 'application/zip',
    reply: z.string(),
  },
});
