import { privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import type { Context } from '../../context.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { listPeople } from '../students/service/list-unerased-people.ts';
import {
  cancelDeletionRequest,
  readDeletionStatus,
  requestDeletion,
} from './service/account-deletion-request.ts';
import { erasePerson } from './service/erase-person.ts';

export function privacyRoutes(http: HttpServer, context: Context): void {
  http.on(privacy.deletionStatus, ({ login }) => readDeletionStatus(context, login.tutorId));
  http.on(privacy.scheduleDeletion, ({ login }) => requestDeletion(context, login.tutorId));
  http.on(privacy.cancelDeletion, ({ login }) => cancelDeletionRequest(context, login.tutorId));

  http.on(privacy.listPeople, ({ login, query }) => listPeople(context, login.tutorId, query));
  http.on(privacy.erasePerson, async ({ login, body }) => {
    await erasePerson(context, login.tutorId, body);
    return { message: 'Person erased.' };
  });
}
