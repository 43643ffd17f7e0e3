import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { feeInput, IdParams, majorUnits, optionalText, requiredLine } from './schema-fields.ts';

/** A subject's default fee cannot be in rupees; a lesson's fee can. */
export const SUBJECT_CURRENCIES = ['GBP', 'USD', 'EUR'] as const;

/** Assigned in rotation unless one is chosen; colour is never the only way to convey information. */
export const SUBJECT_COLORS = ['pine', 'sky', 'plum', 'clay', 'ochre', 'stone'] as const;
export type SubjectColor = (typeof SUBJECT_COLORS)[number];

export const SubjectInput = z.object({
  name: requiredLine('Name is required', 100),
  description: optionalText(1000),
  defaultFee: feeInput('Fee must be greater than 0'),
  currency: z._default(
    z.enum(SUBJECT_CURRENCIES, { error: 'Please choose a currency from the list' }),
    'GBP',
  ),
  color: z.optional(z.enum(SUBJECT_COLORS, { error: 'Please choose a colour from the list' })),
});
export type SubjectInput = z.infer<typeof SubjectInput>;

export const Subject = z.object({
  id: z.number(),
  name: z.string(),
  description: z.nullable(z.string()),
  defaultFee: majorUnits,
  currency: z.enum(SUBJECT_CURRENCIES),
  color: z.enum(SUBJECT_COLORS),
});
export type Subject = z.infer<typeof Subject>;

export const DeleteReply = z.object({ message: z.string() });

/** The maximum number of subjects, not counting archived ones. */
export const MAX_SUBJECTS = 500;

export const subjects = defineEndpoints({
  listSubjects: {
    method: 'GET',
    path: '/api/subjects',
    access: 'login',
    summary: 'All subjects that are not archived',
    reply: z.array(Subject),
  },
  createSubject: {
    method: 'POST',
    path: '/api/subjects',
    access: 'login',
    summary: 'Add a subject',
    body: SubjectInput,
    reply: Subject,
    status: 201,
    idempotent: true,
  },
  updateSubject: {
    method: 'PUT',
    path: '/api/subjects/:id',
    access: 'login',
    summary: 'Change a subject',
    params: IdParams,
    body: SubjectInput,
    reply: Subject,
  },
  deleteSubject: {
    method: 'DELETE',
    path: '/api/subjects/:id',
    access: 'login',
    summary: 'Delete a subject, or archive one that lessons use',
    params: IdParams,
    reply: DeleteReply,
  },
});
