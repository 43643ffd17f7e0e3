import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import { students } from '@lessonbook/contract/students';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { listCarers } from './service/carers-and-contact-records.ts';
import {
  addContact,
  changeContact,
  removeContact,
  setNoteReaders,
} from './service/student-contacts.ts';
import { addStudent, changeStudent, listStudents, removeStudent } from './service/students.ts';

export function studentRoutes(http: HttpServer, context: Context): void {
  http.on(students.listStudents, ({ login, query }) => listStudents(context, login.tutorId, query));

  http.on(students.createStudent, ({ login, body, idempotencyKey }) =>
    addStudent(context, login.tutorId, body, idempotencyKey),
  );

  http.on(students.updateStudent, ({ login, params, body }) =>
    changeStudent(context, login.tutorId, params.id, body),
  );

  http.on(students.deleteStudent, async ({ login, params }) => {
    await removeStudent(context, login.tutorId, params.id);
    return { message: 'Student deleted successfully' };
  });

  http.on(studentContacts.addContact, ({ login, params, body, idempotencyKey }) =>
    addContact(context, login.tutorId, params.id, body, idempotencyKey),
  );

  http.on(studentContacts.updateContact, ({ login, params, body }) =>
    changeContact(context, login.tutorId, params.id, params.contactId, body),
  );

  http.on(studentContacts.removeContact, ({ login, params }) =>
    removeContact(context, login.tutorId, params.id, params.contactId),
  );

  http.on(studentContacts.setNoteReaders, ({ login, params, body }) =>
    setNoteReaders(context, login.tutorId, params.id, body.studentOnly),
  );

  http.on(students.listCarers, ({ login, query }) => listCarers(context, login.tutorId, query));
}
