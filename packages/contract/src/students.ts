import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import {
  date,
  IdParams,
  id,
  idParam,
  optionalEmail,
  optionalText,
  PageQuery,
  timeZone,
} from './schema-fields.ts';
import { DeleteReply } from './subjects.ts';

/**
 * The form includes the carer's details. With `carerId`, the student is linked to an existing carer, and any carer fields that
 * are set update that carer for all their students. Without it, a carer name creates a new carer.
 */
export const StudentInput = z.object({
  name: z
    .string({ error: 'Name is required' })
    .check(
      z.trim(),
      z.minLength(1, 'Name is required'),
      z.maxLength(100, 'Please use at most 100 characters'),
    ),
  phone: optionalText(40),
  email: optionalEmail,
  subject: optionalText(200),
  notes: optionalText(4000),
  carerId: z.optional(z.nullable(id('Please pick a carer'))),
  carerName: optionalText(100),
  carerRelationship: optionalText(60),
  carerPhone: optionalText(40),
  carerEmail: optionalEmail,
});
export type StudentInput = z.infer<typeof StudentInput>;

/** What a contact may see of a student, and do for them. */
export const ContactAccess = z.object({
  seesLessons: z.boolean(),
  seesPlace: z.boolean(),
  seesNotes: z.boolean(),
  seesMoney: z.boolean(),
  mayCancel: z.boolean(),
  mayAsk: z.boolean(),
});
export type ContactAccess = z.infer<typeof ContactAccess>;

export const Contact = z.object({
  id: z.number(),
  name: z.string(),
  relationship: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
  /** Null means the tutor's time zone. */
  timeZone: z.nullable(z.string()),
  isMain: z.boolean(),
  /** Whether the contact is the student, who pays for themselves or has done so. */
  isStudent: z.boolean(),
  access: ContactAccess,
});
export type Contact = z.infer<typeof Contact>;

/** A payer from a date on, until the next date that has payers. */
export const StudentPayer = z.object({
  familyId: z.number(),
  contactId: z.number(),
  percent: z.number(),
  from: z.string(),
});
export type StudentPayer = z.infer<typeof StudentPayer>;

/** The date of payers from the start; no payers are earlier. */
export const PAYERS_FROM_START = '1900-01-01';

export const Student = z.object({
  id: z.number(),
  name: z.string(),
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
  subject: z.nullable(z.string()),
  notes: z.nullable(z.string()),
  carerId: z.nullable(z.number()),
  carerName: z.nullable(z.string()),
  carerRelationship: z.nullable(z.string()),
  carerPhone: z.nullable(z.string()),
  carerEmail: z.nullable(z.string()),
  /** The payer's account. */
  familyId: z.nullable(z.number()),
  /** The main contact first, then by id. */
  contacts: z.array(Contact),
  /** By date; the first payer of each date pays the odd pennies. */
  payers: z.array(StudentPayer),
});
export type Student = z.infer<typeof Student>;

export const Carer = z.object({
  id: z.number(),
  name: z.string(),
  relationship: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  email: z.nullable(z.string()),
  /** Helps the tutor distinguish between carers. */
  students: z.array(z.string()),
});
export type Carer = z.infer<typeof Carer>;

/** The maximum number of students, not counting archived ones. It also limits carers, families and reports. */
export const MAX_STUDENTS = 10_000;

const contactFields = {
  relationship: optionalText(60),
  phone: optionalText(40),
  email: optionalEmail,
  timeZone: z.optional(z.nullable(timeZone)),
};

const contactName = z
  .string({ error: 'Name is required' })
  .check(
    z.trim(),
    z.minLength(1, 'Name is required'),
    z.maxLength(100, 'Please use at most 100 characters'),
  );

/** With `contactId`, an existing contact is linked to the student and the other fields are ignored. */
export const NewContactInput = z
  .object({
    contactId: z.optional(id('Please pick a contact')),
    name: z.optional(contactName),
    ...contactFields,
  })
  .check(
    z.refine((input) => input.contactId !== undefined || input.name !== undefined, {
      error: 'Name is required',
      path: ['name'],
    }),
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
  from: z.union([z.literal(PAYERS_FROM_START), date()], { error: 'Please pick a date' }),
  payers: z
    .array(
      z.object({
        contactId: id('Please pick a contact'),
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
      z.minLength(1, 'Please pick a payer'),
      z.maxLength(MAX_PAYERS, `Please pick at most ${MAX_PAYERS} payers`),
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

export const students = defineEndpoints({
  listStudents: {
    method: 'GET',
    path: '/api/students',
    access: 'login',
    summary: 'Students who are not archived, in the order of their ids',
    query: PageQuery,
    reply: z.array(Student),
  },
  createStudent: {
    method: 'POST',
    path: '/api/students',
    access: 'login',
    summary: 'Add a student',
    body: StudentInput,
    reply: Student,
    status: 201,
    idempotent: true,
  },
  updateStudent: {
    method: 'PUT',
    path: '/api/students/:id',
    access: 'login',
    summary: 'Change a student',
    params: IdParams,
    body: StudentInput,
    reply: Student,
  },
  deleteStudent: {
    method: 'DELETE',
    path: '/api/students/:id',
    access: 'login',
    summary: 'Archive a student and cancel their future sessions',
    params: IdParams,
    reply: DeleteReply,
  },
  addContact: {
    method: 'POST',
    path: '/api/students/:id/contacts',
    access: 'login',
    summary:
      'Add a contact to a student, or link an existing one; nothing is allowed until it is changed',
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
    summary: 'Unlink a contact from a student; neither the main contact nor a payer',
    params: ContactParams,
    reply: Student,
  },
  setPayers: {
    method: 'PUT',
    path: '/api/students/:id/payers',
    access: 'login',
    summary: 'Split the charges for a student between payers, from a date on',
    params: IdParams,
    body: PayersInput,
    reply: Student,
  },
  listCarers: {
    method: 'GET',
    path: '/api/carers',
    access: 'login',
    summary: 'Carers of current students, in the order of their ids',
    query: PageQuery,
    reply: z.array(Carer),
  },
});
