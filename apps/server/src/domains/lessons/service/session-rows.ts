/** The door through which the screens above read sessions in the shape of the contract. */
export { asSessionRow, sessionRows, sessionsDue } from '../queries/session-rows.ts';
