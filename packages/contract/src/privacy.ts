import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { id } from './schema-fields.ts';

export const DELETION_GRACE_DAYS = 14;

export const Deletion = z.object({
  deletesAt: z.nullable(z.string()),
  /** What has to be typed to ask for it: an account without a password is known by its username. */
  proof: z.enum(['password', 'username']),
});
export type Deletion = z.infer<typeof Deletion>;

export const DeletionInput = z.object({
  proof: z
    .string({ error: 'Please fill this in' })
    .check(z.minLength(1, 'Please fill this in'), z.maxLength(200, 'That is not right')),
});
export type DeletionInput = z.infer<typeof DeletionInput>;

/** What stands in the place of a name, from the screen down to issued invoices. */
export const ERASED_NAME = 'Erased person';

const PERSON_KINDS = ['student', 'carer'] as const;

/** Somebody in the book, also one who has left every list. */
export const Person = z.object({
  kind: z.enum(PERSON_KINDS),
  id: z.number(),
  name: z.string(),
  /** 'Carer of Lena and Noah' */
  about: z.string(),
  left: z.boolean(),
});
export type Person = z.infer<typeof Person>;

export const EraseInput = z.object({
  kind: z.enum(PERSON_KINDS),
  id: id('Please choose a person'),
  /** Typed once more by hand. */
  name: z
    .string({ error: 'Please type the name' })
    .check(z.minLength(1, 'Please type the name'), z.maxLength(200, 'That is another name')),
});
export type EraseInput = z.infer<typeof EraseInput>;

export const privacy = defineEndpoints({
  deletionStatus: {
    method: 'GET',
    path: '/api/account-deletion',
    access: 'login',
    summary: 'Whether and when this account is deleted, and how to prove who asks',
    reply: Deletion,
  },
  scheduleDeletion: {
    method: 'POST',
    path: '/api/account-deletion',
    access: 'login',
    summary: 'Delete this account after 14 days, with all that is in it',
    body: DeletionInput,
    reply: Deletion,
  },
  cancelDeletion: {
    method: 'DELETE',
    path: '/api/account-deletion',
    access: 'login',
    summary: 'Keep this account after all',
    reply: Deletion,
  },
  listPeople: {
    method: 'GET',
    path: '/api/people',
    access: 'login',
    summary: 'Students and carers, also those who left, for erasing one of them',
    reply: z.array(Person),
  },
  erasePerson: {
    method: 'POST',
    path: '/api/people/erase',
    access: 'login',
    summary: 'Erase one person for good; amounts and numbers stay, without a name',
    body: EraseInput,
    reply: z.object({ message: z.string() }),
  },
});
