import { students } from '@lessonbook/contract/students';
import type { Context } from '../../context.ts';
import type { Http } from '../../platform/http.ts';
import { listCarers } from './service/carers.ts';
import { addStudent, changeStudent, listStudents, removeStudent } from './service/students.ts';

export function studentRoutes(http: Http, context: Context): void {
  http.on(students.listStudents, ({ login }) => listStudents(context, login.tutorId));

  http.on(students.createStudent, ({ login, body, repeat }) =>
    addStudent(context, login.tutorId, body, repeat),
  );

  http.on(students.updateStudent, ({ login, params, body }) =>
    changeStudent(context, login.tutorId, params.id, body),
  );

  http.on(students.deleteStudent, async ({ login, params }) => {
    await removeStudent(context, login.tutorId, params.id);
    return { message: 'Student deleted successfully' };
  });

  http.on(students.listCarers, ({ login }) => listCarers(context, login.tutorId));
}
