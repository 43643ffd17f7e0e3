import type { Seat } from '../clients/seat.ts';
import { payByCard, refundByCard } from './cards.ts';
import { bill, throwDraftAway } from './invoices.ts';
import { addOne, addSeries, catchUp, changeSeries, deleteLesson } from './lessons.ts';
import {
  askForMoney,
  callOffRemindable,
  cancelAndTell,
  remindable,
  sendReceipt,
} from './messages.ts';
import { openAccount, pay, refund, takeBack } from './money.ts';
import { askForExport, importStudents, readInbox } from './own-data.ts';
import {
  addStudent,
  addSubject,
  changeStudent,
  changeSubject,
  removeStudent,
  removeSubject,
} from './people.ts';
import { cancel, complete, move, reopen } from './sessions.ts';
import { changeFamily, changePolicy, turnSwitches } from './settings.ts';
import { giveUpTimeOff, takeTimeOff } from './time-off.ts';

type Act = (seat: Seat) => Promise<unknown>;

/** What a browser does, and how often; cheap acts more often, so that many can be acknowledged between two kills. */
const ACTS: readonly [times: number, act: Act][] = [
  [14, changeStudent],
  [4, (seat) => addStudent(seat)],
  [2, removeStudent],
  [2, addSubject],
  [3, changeSubject],
  [1, removeSubject],
  [5, addOne],
  [3, addSeries],
  [3, changeSeries],
  [1, deleteLesson],
  [2, catchUp],
  [12, complete],
  [5, cancel],
  [6, move],
  [8, reopen],
  [2, takeTimeOff],
  [2, giveUpTimeOff],
  [16, pay],
  [5, refund],
  [3, takeBack],
  [3, openAccount],
  [3, bill],
  [1, throwDraftAway],
  [2, payByCard],
  [2, refundByCard],
  [2, sendReceipt],
  [1, askForMoney],
  [1, cancelAndTell],
  [2, remindable],
  [1, callOffRemindable],
  [1, importStudents],
  [2, readInbox],
  [1, askForExport],
  [6, changePolicy],
  [4, turnSwitches],
  [6, changeFamily],
];

const BAG = ACTS.flatMap(([times, act]) => Array.from({ length: times }, () => act));

export const nextAct = (seat: Seat): Act => seat.random.pick(BAG);
