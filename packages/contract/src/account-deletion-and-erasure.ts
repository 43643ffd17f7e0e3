import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { id, PageQuery } from './schema-fields.ts';

export const DELETION_GRACE_DAYS = 14;

export const DeletionStatus = z.object({
  deletesAt: z.nullable(z.string()),
});
export type DeletionStatus = z.infer<typeof DeletionStatus>;

/** Replaces the name everywhere, including on issued invoices. */
export const ERASED_NAME = 'Erased person';

const PERSON_KINDS = ['student', 'carer'] as const;

/** A student or carer, including archived ones. */
export const Person = z.object({
  kind: z.enum(PERSON_KINDS),
  id: z.number(),
  name: z.string(),
  /** For example 'Carer of Lena and Noah'. */
  about: z.string(),
  isArchived: z.boolean(),
});
export type Person = z.infer<typeof Person>;

export const EraseInput = z.object({
  kind: z.enum(PERSON_KINDS),
  id: id('Please choose a person'),
  /** Typed by the tutor as confirmation. */
  name: z
    .string({ error: 'Please type the name' })
    .check(z.minLength(1, 'Please type the name'), z.maxLength(200, "The name doesn't match")),
});
export type EraseInput = z.infer<typeof EraseInput>;

export const privacy = defineEndpoints({
  deletionStatus: {
    method: 'GET',
    path: '/api/account-deletion',
    access: 'login',
    summary: 'When the account will be deleted, if the tutor has requested its deletion',
    reply: DeletionStatus,
  },
  scheduleDeletion: {
    method: 'POST',
    path: '/api/account-deletion',
    access: 'login',
    requires: 'recent-auth',
    summary: 'Schedule the deletion of this account and all its data in 14 days',
    reply: DeletionStatus,
  },
  cancelDeletion: {
    method: 'DELETE',
    path: '/api/account-deletion',
    access: 'login',
    summary: 'Cancel the scheduled deletion',
    reply: DeletionStatus,
  },
  listPeople: {
    method: 'GET',
    path: '/api/people',
    access: 'login',
    summary: 'Students or carers who can be erased, including archived ones, sorted by id',
    query: z.extend(PageQuery, { kind: z.enum(PERSON_KINDS) }),
    reply: z.array(Person),
  },
  erasePerson: {
    method: 'POST',
    path: '/api/people/erase',
    access: 'login',
    requires: 'recent-auth',
    summary: 'Erase a person permanently; amounts and invoice numbers are kept without the name',
    body: EraseInput,
    reply: z.object({ message: z.string() }),
  },
});
