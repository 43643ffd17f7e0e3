import { activity } from '@lessonbook/contract/activity';
import { imports } from '@lessonbook/contract/import';
import { ownData } from '@lessonbook/contract/own-data';
import type { Context } from '../../context.ts';
import type { Http } from '../../platform/http.ts';
import { listPeople } from '../students/service/erase.ts';
import { listActivity } from './service/activity.ts';
import { askForDeletion, keepAccount, readDeletion } from './service/delete-account.ts';
import { erasePerson } from './service/erase-person.ts';
import { askForExport, downloadExport, readExport } from './service/exports.ts';
import { importFile, previewImport } from './service/import.ts';

export function ownDataRoutes(http: Http, context: Context): void {
  http.on(activity.listActivity, ({ login, query }) => listActivity(context, login.tutorId, query));
  http.on(ownData.readExport, ({ login }) => readExport(context, login.tutorId));
  http.on(ownData.askForExport, ({ login }) => askForExport(context, login.tutorId));
  http.onFile(ownData.downloadExport, ({ login, params }) =>
    downloadExport(context, login.tutorId, params.id),
  );

  http.on(ownData.readDeletion, ({ login }) => readDeletion(context, login.tutorId));
  http.on(ownData.askForDeletion, ({ login, body }) =>
    askForDeletion(context, login.tutorId, body),
  );
  http.on(ownData.keepAccount, ({ login }) => keepAccount(context, login.tutorId));

  http.on(imports.previewImport, ({ login, body }) => previewImport(context, login.tutorId, body));
  http.on(imports.importFile, ({ login, body, repeat }) =>
    importFile(context, login.tutorId, body, repeat),
  );

  http.on(ownData.listPeople, ({ login }) => listPeople(context, login.tutorId));
  http.on(ownData.erasePerson, async ({ login, body }) => {
    await erasePerson(context, login.tutorId, body);
    return { message: 'Erased for good.' };
  });
}
