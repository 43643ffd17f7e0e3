import { subjects } from '@lessonbook/contract/subjects';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { addSubject, changeSubject, listSubjects, removeSubject } from './service.ts';

export function subjectRoutes(http: HttpServer, context: Context): void {
  http.on(subjects.listSubjects, ({ login }) => listSubjects(context, login.tutorId));

  http.on(subjects.createSubject, ({ login, body, idempotencyKey }) =>
    addSubject(context, login.tutorId, body, idempotencyKey),
  );

  http.on(subjects.updateSubject, ({ login, params, body }) =>
    changeSubject(context, login.tutorId, params.id, body),
  );

  http.on(subjects.deleteSubject, async ({ login, params }) => {
    await removeSubject(context, login.tutorId, params.id);
    return { message: 'Subject deleted successfully' };
  });
}
