import type { VirtualUser } from '../virtual-users/virtual-user-state.ts';
import { payByCard, refundCardPayment } from './cards.ts';
import { addContact, changeContactAccess, splitPayers } from './contacts-and-payers.ts';
import { askToMoveAsContact, cancelAsContact } from './family-portal.ts';
import {
  addGroupLesson,
  cancelSeat,
  joinLesson,
  leaveLesson,
  restoreSeat,
} from './group-lessons.ts';
import {
  importStudents,
  readNotifications,
  requestExport,
} from './import-export-and-notifications.ts';
import { deleteDraft, issueInvoice } from './invoices.ts';
import {
  addSeries,
  addSingleLesson,
  changeSeries,
  completePastSessions,
  deleteLesson,
} from './lessons.ts';
import {
  addRemindedLesson,
  cancelAndNotify,
  cancelRemindedLesson,
  sendPaymentReminder,
  sendReceipt,
} from './messages.ts';
import { recordPayment, refundPayment, reversePayment, setOpeningBalance } from './payments.ts';
import { cancelSession, completeSession, reopenSession, rescheduleSession } from './sessions.ts';
import { changeFamily, changeNotificationSettings, changePolicy } from './settings.ts';
import {
  addStudent,
  addSubject,
  changeStudent,
  changeSubject,
  removeStudent,
  removeSubject,
} from './students-and-subjects.ts';
import { addTimeOff, deleteTimeOff } from './time-off.ts';

type Action = (user: VirtualUser) => Promise<unknown>;

/** Cheap actions have a higher weight, so that many writes are acknowledged between kills. */
const WEIGHTED_ACTIONS: readonly [weight: number, action: Action][] = [
  [14, changeStudent],
  [4, (user) => addStudent(user)],
  [2, addContact],
  [2, changeContactAccess],
  [3, splitPayers],
  [2, removeStudent],
  [2, addSubject],
  [3, changeSubject],
  [1, removeSubject],
  [4, addSingleLesson],
  [2, addSeries],
  [2, addGroupLesson],
  [3, joinLesson],
  [2, leaveLesson],
  [3, cancelSeat],
  [8, cancelAsContact],
  [5, askToMoveAsContact],
  [2, restoreSeat],
  [3, changeSeries],
  [1, deleteLesson],
  [2, completePastSessions],
  [12, completeSession],
  [5, cancelSession],
  [6, rescheduleSession],
  [8, reopenSession],
  [2, addTimeOff],
  [2, deleteTimeOff],
  [16, recordPayment],
  [5, refundPayment],
  [3, reversePayment],
  [3, setOpeningBalance],
  [3, issueInvoice],
  [1, deleteDraft],
  [2, payByCard],
  [2, refundCardPayment],
  [2, sendReceipt],
  [1, sendPaymentReminder],
  [1, cancelAndNotify],
  [2, addRemindedLesson],
  [1, cancelRemindedLesson],
  [1, importStudents],
  [2, readNotifications],
  [1, requestExport],
  [6, changePolicy],
  [4, changeNotificationSettings],
  [6, changeFamily],
];

const ACTION_POOL = WEIGHTED_ACTIONS.flatMap(([weight, action]) =>
  Array.from({ length: weight }, () => action),
);

export const nextAction = (user: VirtualUser): Action => user.random.pick(ACTION_POOL);
