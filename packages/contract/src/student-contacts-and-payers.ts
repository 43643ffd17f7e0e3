import * as z from 'zod/mini';
import { EARLIEST_DATE } from './dates.ts';
import { defineEndpoints } from './endpoint.ts';
import {
  date,
  IdParams,
  id,
  idParam,
  optionalEmail,
  optionalLine,
  requiredLine,
  timeZone,
} from './schema-fields.ts';
import { ContactAccess, Student } from './students.ts';

const contactFields = {
  relationship: optionalLine(60),
  phone: optionalLine(40),
  email: optionalEmail,
  timeZone: z.optional(z.nullable(timeZone)),
};

const contactName = requiredLine('Name is required', 100);

/**
 * With `contactId`, an existing contact is linked to the student; with `isStudent`, the student becomes their own contact. In
 * both cases, the other fields are ignored.
 */
export const NewContactInput = z
  .object({
    isStudent: z.optional(z.boolean()),
    contactId: z.optional(id('Please choose a contact')),
    name: z.optional(contactName),
    ...contactFields,
  })
  .check(
    z.refine(
      (input) => input.isStudent || input.contactId !== undefined || input.name !== undefined,
      {
        error: 'Name is required',
        path: ['name'],
      },
    ),
  );
export type NewContactInput = z.infer<typeof NewContactInput>;

export const ContactInput = z.object({
  name: contactName,
  ...contactFields,
  access: ContactAccess,
});
export type ContactInput = z.infer<typeof ContactInput>;

export const MAX_PAYERS = 4;

export const PayersInput = z.object({
  from: z.union([z.literal(EARLIEST_DATE), date()], { error: 'Please choose a date' }),
  payers: z
    .array(
      z.object({
        contactId: id('Please choose a contact'),
        percent: z
          .number({ error: 'Please enter a percentage' })
          .check(
            z.int('Please enter a whole percentage'),
            z.minimum(1, 'Please enter at least 1'),
            z.maximum(100, 'Please enter at most 100'),
          ),
      }),
    )
    .check(
      z.minLength(1, 'Please choose a payer'),
      z.maxLength(MAX_PAYERS, `Please choose at most ${MAX_PAYERS} payers`),
      z.refine(
        (payers) => new Set(payers.map(({ contactId }) => contactId)).size === payers.length,
        'Please pick each payer once',
      ),
      z.refine(
        (payers) => payers.reduce((sum, { percent }) => sum + percent, 0) === 100,
        'The percentages must add up to 100',
      ),
    ),
});
export type PayersInput = z.infer<typeof PayersInput>;

const ContactParams = z.object({ id: idParam, contactId: idParam });

/** The contacts of a student and their shares of the charges. */
export const studentContacts = defineEndpoints({
  addContact: {
    method: 'POST',
    path: '/api/students/:id/contacts',
    access: 'login',
    summary:
      'Add a contact to a student, or link an existing one; they have no access until it is granted by changing the contact',
    params: IdParams,
    body: NewContactInput,
    reply: Student,
    status: 201,
    idempotent: true,
  },
  updateContact: {
    method: 'PUT',
    path: '/api/students/:id/contacts/:contactId',
    access: 'login',
    summary: 'Change a contact and what they may see; the main contact may see everything',
    params: ContactParams,
    body: ContactInput,
    reply: Student,
  },
  removeContact: {
    method: 'DELETE',
    path: '/api/students/:id/contacts/:contactId',
    access: 'login',
    summary: 'Unlink a contact from a student; the main contact and payers cannot be unlinked',
    params: ContactParams,
    reply: Student,
  },
  setNoteReaders: {
    method: 'PUT',
    path: '/api/students/:id/note-readers',
    access: 'login',
    summary:
      "Choose who can read a student's notes: only the student (16 or over), or every contact with access to notes",
    params: IdParams,
    body: z.object({ studentOnly: z.boolean() }),
    reply: Student,
  },
  setPayers: {
    method: 'PUT',
    path: '/api/students/:id/payers',
    access: 'login',
    summary: "Split a student's charges between payers, starting from a given date",
    params: IdParams,
    body: PayersInput,
    reply: Student,
  },
});
